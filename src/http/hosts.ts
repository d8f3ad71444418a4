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

/** The names that a machine has in its network: its own, with and without `.local`. */
export function networkNames(machine: string): string[] {
  const name = machine.replace(/\.local$/i, "");
  return name === "" ? [] : [name, `${name}.local`];
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function hostNotAllowed(host: string | null): ApiError {
  if (host === null) return new ApiError("HOST_NOT_ALLOWED", "The request does not name one host.");
  const name = withoutPort(host);
  const option = /^[a-z0-9._-]{1,100}$/.test(name) ? `--allowed-hosts ${name}` : "--allowed-hosts";
  const remedy = `Use its address, or start it with ${option} (see docs/operate.md, "Directly on a network").`;
  return new ApiError("HOST_NOT_ALLOWED", `"${host.slice(0, 100)}" is not a name of this server. ${remedy}`);
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

function isAddress(name: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}
