// How the columns of the table come beside their row's answers: the row goes through all subqueries as one value, or
// its number does, by which rows and answers are joined.
import { SOURCE } from "./cell-codes.ts";
import type { SqlDialect } from "./dialect.ts";
import { replacing } from "./node-table.ts";
import { type Column, query, renderStages, type Source, type Stages, selected, subquery } from "./stages.ts";

/** The rows of a table, as the first stage reads them. */
export interface TableRows {
  source: Source;
  /** Statements before all others. */
  before: readonly string[];
  /** Null where a row is one value. */
  numbered: NumberedRows | null;
}

interface NumberedRows {
  number: string;
  /** Where they are. */
  from: string;
  /** Numbers them; null where they are in a temporary table. */
  subquery: string | null;
}

/**
 * `table`: its name, quoted. `number`: the column of the number, which no column of the model has. `isWalked`: whether
 * several statements read the rows.
 */
export function rowsOf(table: string, number: string, isWalked: boolean, dialect: SqlDialect): TableRows {
  const from = `${table} AS ${SOURCE}`;
  if (dialect.row !== null) {
    return { source: { from, row: dialect.row.of(SOURCE), given: [] }, before: [], numbered: null };
  }
  const isTable = isWalked || !dialect.sharesSubqueries;
  const name = isTable ? dialect.temporary!.nameOf("cupel_table") : "cupel_table";
  const numberedFrom = `${name} AS ${SOURCE}`;
  const { drop, numbered } = dialect.temporary!;
  return {
    source: { from: numberedFrom, row: `${SOURCE}.${number}`, given: [] },
    before: isTable ? [`${drop} ${name}`, numbered("cupel_table", number, from, SOURCE)] : [],
    numbered: {
      number,
      from: numberedFrom,
      // The number comes first: of two columns of one name, SQLite reads the first.
      subquery: isTable ? null : subquery(name, [`ROW_NUMBER() OVER () AS ${number}`, `${SOURCE}.*`], from),
    },
  };
}

/** Statements whose last one gives all columns of the table, and the answers. */
export function answerStatements(
  stages: Stages,
  source: Source,
  answers: readonly Column[],
  { numbered }: TableRows,
  dialect: SqlDialect,
): string[] {
  const columns = answers.map(selected);
  const order = source.order === undefined ? "" : `\nORDER BY ${source.order}`;
  const { subqueries, last } = renderStages(stages, source, columns.join(" ") + order, dialect);
  if (numbered === null) return [query(subqueries, [dialect.row!.columns("cupel_row"), ...columns], `${last}${order}`)];
  // The answers alone: columns of the table may have the names of any others.
  const list = ["cupel_row", ...columns];
  const joined = (answersTable: string) =>
    `SELECT ${[`${SOURCE}.*`, ...answers.map(([name]) => `cupel_answers.${name}`)].join(",\n  ")}\n` +
    `FROM ${answersTable} JOIN ${numbered.from} ON ${SOURCE}.${numbered.number} = cupel_answers.cupel_row\n` +
    "ORDER BY cupel_answers.cupel_row";
  if (numbered.subquery !== null) {
    const answered = subquery("cupel_answers", list, `${last}${dialect.fence}`);
    return [`WITH ${[numbered.subquery, ...subqueries, answered].join(",\n")}\n${joined("cupel_answers")}`];
  }
  // A table of its own: MySQL reads no temporary table twice in one statement.
  const answersTable = dialect.temporary!.nameOf("cupel_answers");
  return [
    ...replacing(answersTable, query(subqueries, list, last), dialect),
    joined(`${answersTable} AS cupel_answers`),
  ];
}
