// A query as stages: each computes columns from those of the stages before it, and becomes one subquery.
import type { SqlDialect } from "./dialect.ts";
import { tooLarge } from "./refusals.ts";

/** A computed column: its name, and its expression over the columns of earlier stages. */
export type Column = readonly [name: string, sql: string];
/** Columns of one stage do not see each other. */
export type Stages = readonly (readonly Column[])[];

/** A sum whose terms are added in their order, as the engine adds them. */
export interface Sum {
  name: string;
  start: string;
  terms: readonly string[];
}

/** Stages, and the columns that hold what they compute. */
export interface Outputs {
  stages: Stages;
  names: readonly string[];
}

/** Terms added in one expression: dialects limit how deep one may be, DuckDB to 1,000. */
export const TERMS_TOGETHER = 64;

/** Does several parts at the same time: the first stages of all, then the second ones. */
export function alongside(parts: readonly Stages[]): Stages {
  const count = Math.max(0, ...parts.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) => parts.flatMap((stages) => stages[at] ?? []));
}

/** The stages of a sum, chunk by chunk. */
function sumStages({ name, start, terms }: Sum): Stages {
  const stages: Column[][] = [];
  let before = start;
  for (let from = 0; from < Math.max(1, terms.length); from += TERMS_TOGETHER) {
    const isLast = from + TERMS_TOGETHER >= terms.length;
    const sumName = isLast ? name : `${name}_${stages.length}`;
    stages.push([[sumName, [before, ...terms.slice(from, from + TERMS_TOGETHER)].join(" + ")]]);
    before = sumName;
  }
  return stages;
}

/** Several sums beside each other. */
export function sums(all: readonly Sum[]): Outputs {
  return { stages: alongside(all.map(sumStages)), names: all.map(({ name }) => name) };
}

/** The rows that the first stage reads. */
export interface Source {
  /** After FROM. */
  from: string;
  /** The row as one value, or its number, which becomes `cupel_row`. */
  row: string;
  /** Columns that stages may use without computing them. */
  given: readonly string[];
  /** The given column by which the rows come; left out where they come as they are read. */
  order?: string;
}

/**
 * Stages as subqueries, one in another, and the name of the last: each passes on what later ones or the text `final`
 * use, and the row itself, `cupel_row`.
 *
 * @throws InputError TOO_LARGE where one would pass on more columns than the dialect takes
 */
export function renderStages(
  stages: Stages,
  source: Source,
  final: string,
  dialect: SqlDialect,
): { subqueries: readonly string[]; last: string } {
  const names = new Set([...source.given, ...stages.flatMap((columns) => columns.map(([name]) => name))]);
  let needed = namesIn(final, names);
  // From the last to the first: what is not used later is not computed.
  const keptStages = stages
    .toReversed()
    .map((columns) => {
      const neededColumns = columns.filter(([name]) => needed.has(name));
      const passed = needed.difference(new Set(neededColumns.map(([name]) => name)));
      needed = new Set(passed);
      for (const [, sql] of neededColumns) for (const name of namesIn(sql, names)) needed.add(name);
      return { columns: neededColumns, passed };
    })
    .toReversed()
    .filter(({ columns }) => columns.length > 0);
  const subqueries = keptStages.map(({ columns, passed }, at) => {
    const from = at === 0 ? source.from : `cupel_${at}`;
    const row = at === 0 ? `${source.row} AS cupel_row` : "cupel_row";
    const list = [row, ...passed, ...columns.map(selected)];
    if (list.length > dialect.mostColumns) {
      throw tooLarge(
        `a subquery of it would have ${list.length} columns, and ${dialect.title} takes ${dialect.mostColumns}`,
      );
    }
    return subquery(`cupel_${at + 1}`, list, `${from}${dialect.fence}`);
  });
  return { subqueries, last: `cupel_${keptStages.length}` };
}

/** A column in the list of a SELECT. */
export const selected = ([name, sql]: Column) => `${sql} AS ${name}`;

/** A named subquery. `from`: with what follows it. */
export function subquery(name: string, list: readonly string[], from: string): string {
  return `${name} AS (\n  SELECT ${list.join(",\n    ")}\n  FROM ${from}\n)`;
}

/** A query over subqueries. */
export function query(subqueries: readonly string[], list: readonly string[], from: string): string {
  return `WITH ${subqueries.join(",\n")}\nSELECT ${list.join(",\n  ")}\nFROM ${from}`;
}

/**
 * The known names that a text may mention; a name in quotation marks counts
 * too, which only passes on a column too many.
 */
function namesIn(sql: string, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const [token] of sql.matchAll(/[a-z]\w*/g)) if (known.has(token)) found.add(token);
  return found;
}
