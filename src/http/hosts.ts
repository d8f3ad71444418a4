// The host names that this server answers to, against DNS rebinding.
import { ApiError } from "./problem.ts";

/** Whether a Host header (`name`, `name:port`, `[::1]:port`) is one of ours. */
export type HostCheck = (host: string) => boolean;

/**
 * Accepts `localhost`, every IP address and the given names, on any port: DNS rebinding needs a name of the attacker's.
 * Names are compared in small letters, without a port or a final dot.
 */
export function allowHosts(names: readonly string[]): HostCheck {
  const known = new Set(["localhost", ...names.map(withoutPort)]);
  return (host) => {
    const name = withoutPort(host);
    return known.has(name) || isAddress(name);
  };
}

export function hostNotAllowed(host: string | null): ApiError {
  const shown =
    host === null ? "The request does not name one host." : `"${host.slice(0, 100)}" is not a name of this server.`;
  return new ApiError("HOST_NOT_ALLOWED", shown);
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}
