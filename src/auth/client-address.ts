// The client's address: the connection's, or the one that trusted proxies report.
import { BlockList, isIP } from "node:net";

/**
 * The client's address by that of the connection and by `X-Forwarded-For`; null without a connection.
 * The header counts only on a connection from a trusted proxy. Each proxy appends the address it
 * heard, so the header is read from the right: the first address that is no trusted proxy is the
 * client's, and the client may have made up everything left of it.
 */
export type ClientAddresses = (connectionAddress: string | null, forwardedFor: string | null) => string | null;

/** `proxies`: addresses and networks for which `isNetwork` holds. */
export function clientAddresses(proxies: readonly string[]): ClientAddresses {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address, bits] = splitNetwork(proxy);
    trusted.addSubnet(address, bits, familyOf(address));
  }
  const isTrusted = (address: string) => trusted.check(address, familyOf(address));
  return (connectionAddress, forwardedFor) => {
    if (connectionAddress === null || forwardedFor === null || proxies.length === 0) return connectionAddress;
    let client = connectionAddress;
    for (const hop of forwardedFor.split(",").reverse()) {
      if (!isTrusted(client)) break;
      const address = bareAddress(hop);
      if (address === null) break;
      client = address;
    }
    return client;
  };
}

/** Whether a text is an address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address, bits] = splitNetwork(text);
  const mostBits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && Number.isInteger(bits) && bits <= mostBits && !address.includes("%");
}

function splitNetwork(text: string): [address: string, bits: number] {
  const [address = "", bits] = text.split("/", 2);
  if (bits === undefined) return [address, isIP(address) === 6 ? 128 : 32];
  return [address, /^\d{1,3}$/.test(bits) && text === `${address}/${bits}` ? Number(bits) : Number.NaN];
}

/** Without the port or brackets that some proxies write; null for no address. */
function bareAddress(hop: string): string | null {
  const text = hop.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
