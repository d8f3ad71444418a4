// The domains of e-mail addresses and the hosts of web addresses: rows belong together by these as by a column of them.

import { type CategoryFeature, type Feature, FIRST_LEVEL, type Table } from "../table/table.ts";

const EMAIL = /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/;
const WEB = /^(?:https?:)?\/\/(?:www\.)?([^\s/?#:]+\.[^\s/?#:]+)/i;
/** The share of a column's values that are addresses, and how many of them have the same domain in the mean. */
const LEAST_ADDRESSES = 0.9;
const ADDRESSES_PER_DOMAIN = 2;

export interface Domains {
  /** The table with domains in place of addresses. */
  table: Table;
  /** How many domains a column has, by its position in the file. */
  counts: ReadonlyMap<number, number>;
}

/** Null where no category holds addresses. O(values, and rows of such columns). */
export function withDomains(table: Table): Domains | null {
  const counts = new Map<number, number>();
  const features: Feature[] = [];
  const levels = table.features.map((feature, index) => {
    const domains = feature.kind === "category" ? domainsOf(feature) : null;
    features.push(domains?.feature ?? feature);
    if (domains === null) return table.levels[index]!;
    counts.set(feature.column, domains.feature.names.length);
    return Uint16Array.from(table.levels[index]!, (level) => domains.levelOf[level]!);
  });
  return counts.size === 0 ? null : { table: { ...table, features, levels }, counts };
}

function domainsOf(feature: CategoryFeature): { feature: CategoryFeature; levelOf: Uint16Array } | null {
  const found = feature.names.map((name) => (EMAIL.exec(name) ?? WEB.exec(name))?.[1]?.toLowerCase());
  const addresses = found.filter((domain) => domain !== undefined);
  if (addresses.length === 0 || addresses.length < LEAST_ADDRESSES * feature.names.length) return null;
  const domains = found.map((domain, at) => domain ?? feature.names[at]!);
  const names = [...new Set(domains)];
  if (names.length * ADDRESSES_PER_DOMAIN > domains.length) return null;
  const places = new Map(names.map((name, at) => [name, FIRST_LEVEL + at]));
  const levelOf = Uint16Array.from({ length: FIRST_LEVEL + domains.length }, (_, level) =>
    level < FIRST_LEVEL ? level : places.get(domains[level - FIRST_LEVEL]!)!,
  );
  return { feature: { ...feature, names }, levelOf };
}
