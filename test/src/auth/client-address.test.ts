// Whose address counts: the connection's, unless a proxy of ours says otherwise.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clientAddresses, isNetwork } from "../../../src/auth/client-address.ts";
import { closingAfter, startApi } from "../../support/api.ts";

const PROXIES = ["10.0.0.0/8", "192.0.2.1", "fd00::/8", "::1"];

describe("the client's address", () => {
  test.each<[name: string, connection: string, header: string | null, client: string]>([
    ["without the header is the connection's", "10.0.0.1", null, "10.0.0.1"],
    ["is what a proxy heard", "10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["is the rightmost that is no proxy", "10.0.0.1", "203.0.113.7, 10.9.9.9, 192.0.2.1", "203.0.113.7"],
    ["is never what the client wrote before it", "10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"],
    ["nor where it wrote the address of a proxy", "10.0.0.1", "10.1.1.1, 203.0.113.7, 10.2.2.2", "203.0.113.7"],
    ["is the connection's where that is no proxy", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
    ["of a single proxy is not that of its neighbour", "192.0.2.2", "1.1.1.1", "192.0.2.2"],
    ["is the first proxy's where all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["ends at what is no address", "10.0.0.1", "203.0.113.7, unknown, 10.0.0.2", "10.0.0.2"],
    ["is the proxy's where it heard nothing", "10.0.0.1", "", "10.0.0.1"],
    ["may have a port", "10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
    ["may be IPv6", "fd12::1", "2001:db8::7", "2001:db8::7"],
    ["may be IPv6 in brackets and with a port", "::1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["of a proxy by IPv4 in IPv6 clothes", "::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
  ])("%s", (_name, connection, header, client) => {
    expect(clientAddresses(PROXIES)(connection, header)).toBe(client);
  });

  test("without trusted proxies is the connection's, whatever is said", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(clientAddresses([])("10.0.0.1", header)).toBe("10.0.0.1");
        expect(clientAddresses(PROXIES)("203.0.113.9", header)).toBe("203.0.113.9");
        expect(clientAddresses(PROXIES)(null, header)).toBeNull();
      }),
    );
  });

  test("is what the last proxy heard, however much the client writes before it", () => {
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom("10.0.0.9", "unknown", ""));
    fc.assert(
      fc.property(fc.array(hop), (hops) => {
        const header = [...hops, "203.0.113.7", "10.0.0.2"].join(", ");
        expect(clientAddresses(PROXIES)("10.0.0.1", header)).toBe("203.0.113.7");
      }),
    );
  });
});

test.each<[string, boolean]>([
  ["10.0.0.1", true],
  ["10.0.0.0/8", true],
  ["0.0.0.0/0", true],
  ["::/0", true],
  ["fd00::/8", true],
  ["10.0.0.0/33", false],
  ["fd00::/129", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/-1", false],
  ["10.0.0.0/8/8", false],
  ["10.0.0", false],
  ["fe80::1%eth0", false],
  ["proxy", false],
  ["", false],
])("%j is an address or a network: %p", (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});

describe("the limit on logins behind a proxy", () => {
  const failedLogin = async (origin: string, forwardedFor: string, index: number) => {
    const response = await fetch(`${origin}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": forwardedFor },
      body: JSON.stringify({ username: `nobody${index}@example.org`, password: "wrong horse battery" }),
    });
    return response.status;
  };

  test.each<[string[], number]>([
    [["127.0.0.0/8"], 401],
    [[], 429],
  ])("with the trusted proxies %j, another client's eleventh try answers %d", (trustedProxies, other) =>
    closingAfter(startApi({ settings: { trustedProxies } }), async (api) => {
      const { origin } = api.listen();
      for (let index = 0; index < 10; index++) expect(await failedLogin(origin, "203.0.113.7", index)).toBe(401);
      // What the client itself puts before the proxy's word changes nothing.
      expect(await failedLogin(origin, "198.51.100.1, 203.0.113.7", 10)).toBe(429);
      expect(await failedLogin(origin, "203.0.113.8", 11)).toBe(other);
    }),
  );
});
