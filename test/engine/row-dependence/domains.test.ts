// Addresses whose domains, or hosts, decide the label: new domains are not known, though each address differs.
import { describe, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import { findDependence } from "../../../engine/row-dependence/dependence.ts";
import { withDomains } from "../../../engine/row-dependence/domains.ts";
import { neverStop } from "../../../engine/stop-signal.ts";
import type { CategoryFeature } from "../../../engine/table/table.ts";
import { drawNormal } from "../../bench/noisy-tables.ts";
import { tableOf } from "../../support/drawn-tables.ts";

const ROWS = 900;
const DOMAINS = 40;

const email = (user: number, domain: string) => `user${user}@${domain}.example`;

/** Some of the domains send spam, by `share` of their rows; each has some twenty users, of about one row. */
function drawMails(address: (user: number, domain: string) => string, share: number, seed = 1) {
  const random = new Random(seed);
  const isSpam = Array.from({ length: DOMAINS }, () => random.nextBelow(2) === 0);
  const rows = Array.from({ length: ROWS }, () => {
    const domain = random.nextBelow(DOMAINS);
    const ofDomain = random.nextFloat() < share ? isSpam[domain] : random.nextBelow(2) === 0;
    const cell = address(random.nextBelow(20), `${"abcdefgh"[domain % 8]}${domain}`);
    return [cell, (20 + 5 * drawNormal(random)).toFixed(0), ofDomain ? "spam" : "ham"];
  });
  return tableOf({ names: ["from", "size", "class"], rows, elsewhere: [] }).table;
}

function namesOf(table: ReturnType<typeof drawMails>): readonly string[] {
  return (table.features.find(({ column, part }) => column === 0 && part === null) as CategoryFeature).names;
}

describe("domains", () => {
  test.each([
    ["e-mail addresses", email],
    ["web addresses", (user: number, domain: string) => `https://www.${domain}.example/u/${user}`],
  ])("stand in place of %s", (_, address) => {
    const table = drawMails(address, 1);
    const domains = withDomains(table)!;
    expect([...domains.counts]).toEqual([[0, DOMAINS]]);
    expect(namesOf(domains.table)).toContain("a0.example");
    const [before, after] = [table, domains.table].map(({ levels }) => levels[0]!);
    const names = namesOf(table);
    for (const row of [0, 1, 2]) {
      expect(names[before![row]! - 2]).toContain(namesOf(domains.table)[after![row]! - 2]!);
    }
  });

  test.each([
    ["names", (user: number, domain: string) => `user ${user} of ${domain}`],
    ["addresses with a domain of their own", (user: number, domain: string) => `info@${domain}-${user}.example`],
  ])("are none of %s", (_, address) => {
    expect(withDomains(drawMails(address, 1))).toBeNull();
  });
});

test("what new domains cost is told where the label goes by them, and nothing where it does not", () => {
  const found = (share: number) =>
    findDependence(drawMails(email, share), 1, neverStop).found.filter(({ domainCount }) => domainCount !== undefined);
  const [loss] = found(1);
  expect(loss).toMatchObject({ column: 0, domainCount: DOMAINS });
  expect(loss!.random).toBeGreaterThan(0.9);
  expect(loss!.random - loss!.held).toBeGreaterThan(0.2);
  expect(found(0)).toEqual([]);
});
