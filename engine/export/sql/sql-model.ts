// A model as one SQL query over a table of typed columns.

import { BOOSTED_TREES_KIND } from "../../boosting/boosted-trees.ts";
import type { ColumnReading } from "../../columns/reading.ts";
import { freeName } from "../../csv/header.ts";
import type { Model } from "../../families/algorithms.ts";
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { ModelFile } from "../../model/model-file.ts";
import { readsTexts, textNames } from "../text-refusals.ts";
import { codeName, codeStages } from "./cell-codes.ts";
import { breaksOf } from "./code-breaks.ts";
import { decisionOf } from "./decision.ts";
import type { SqlDialect } from "./dialect.ts";
import { DIALECTS, type DialectName } from "./dialects.ts";
import type { MemberContext } from "./member-context.ts";
import { caseNodes, memberProbabilities } from "./member-scores.ts";
import { replacing, type WalkedTrees, walkStatements } from "./node-table.ts";
import { holdsNul, noName, sameName, tooLarge } from "./refusals.ts";
import { mergeColumns, stackProbabilities, weighingMembers } from "./stack-scores.ts";
import { type Column, query, renderStages, type Stages } from "./stages.ts";
import { answerStatements, rowsOf, type TableRows } from "./table-rows.ts";

export interface SqlOptions {
  dialect: DialectName;
  /** The table of the rows; parts are separated by points. */
  table: string;
  /** Instead of the dialect's. */
  mostCaseNodes?: number;
}

/** Features and classes at most, so that text is never made of thousands of them. */
const MOST_COLUMNS = 1_500;
/** Bytes of all statements at most. */
const MOST_BYTES = 50e6;
const ONLY_MEMBER = { prefix: "m_", codeOf: codeName } as const;

/**
 * The statements that score the rows of a table; the last one gives every column of the table, `prediction`,
 * `confidence` and a probability for each label, by names that no column of the model has. More than one where trees
 * are walked through tables.
 *
 * @throws InputError which says why the model cannot become SQL, and what to do instead
 */
export function sqlOf(file: ModelFile, { dialect: name, table, mostCaseNodes }: SqlOptions): string {
  const dialect = DIALECTS[name];
  requireWritable(file, dialect);
  const { model, features, labels } = file;
  const codeCounts = features.map(({ codeCount }) => codeCount);
  const isWalked = nodesOf(model) > (mostCaseNodes ?? dialect.mostCaseNodes);
  const { values, codes } = codeStages(file, breaksOf(model, codeCounts), dialect);
  const merged = model.kind === "stack" ? mergeColumns(model, codeCounts.length, dialect) : [];
  const shares =
    model.kind === "stack"
      ? stackProbabilities(model, isWalked, dialect)
      : memberProbabilities(model, { ...ONLY_MEMBER, dialect, isWalked });
  const answer = decisionOf(shares.names, file, dialect);
  const names = addedNames(file);
  const chosen = (values: readonly string[]) =>
    `CASE decided ${values.map((value, k) => `WHEN ${k} THEN ${value}`).join(" ")} END`;
  const answers: Column[] = [
    [names.prediction, chosen(labels.map((label) => dialect.text(label)!))],
    [names.confidence, chosen(answer.names)],
    ...answer.names.map((p, k): Column => [names.probabilities[k]!, p]),
  ];
  const rows = rowsOf(table.split(".").map(dialect.identifier).join("."), names.row, isWalked, dialect);
  const stages = [...shares.stages, ...answer.stages];
  const statements = isWalked
    ? walkedScoring(model, rows, { values, codes: [codes, merged], stages, answers }, dialect)
    : [...rows.before, ...answerStatements([...values, codes, merged, ...stages], rows.source, answers, rows, dialect)];
  const texts = statements.map((statement) => `${statement};\n`);
  const sql = headerOf(file, dialect, names, isWalked) + texts.join("");
  requireSize(sql.length, MOST_BYTES, "a file");
  const longest = texts.length === 1 ? sql.length : Math.max(...texts.map(({ length }) => length));
  requireSize(longest, dialect.mostBytes, dialect.title);
  return sql;
}

function requireSize(size: number, most: number, taker: string): void {
  if (size <= most) return;
  const [has, takes] = [size, most].map((bytes) => (bytes / 1e6).toFixed(1));
  throw tooLarge(`its SQL would have ${has} MB, and ${taker} gets ${takes} MB at most`);
}

interface Scoring {
  values: Stages;
  codes: Stages;
  stages: Stages;
  answers: readonly Column[];
}

/** The rows' codes in a table of their own, the sums of their leaves in another, and the query over both. */
function walkedScoring(
  model: Model,
  rows: TableRows,
  { values, codes, stages, answers }: Scoring,
  dialect: SqlDialect,
): string[] {
  const columns = codes.flatMap((stage) => stage.map(([name]) => name));
  const id = rows.numbered === null ? "ROW_NUMBER() OVER ()" : "cupel_row";
  const { subqueries, last } = renderStages([...values, ...codes], rows.source, columns.join(" "), dialect);
  const [rowsTable, sumsTable] = ["cupel_rows", "cupel_sums"].map(dialect.temporary!.nameOf);
  const { statements, sums } = walkStatements(treesOf(model), columns, dialect);
  const source = {
    from: `${rowsTable} JOIN ${sumsTable} USING (cupel_id)`,
    row: "cupel_row",
    given: ["cupel_id", ...columns, ...sums],
    // Joins change the order, and people lay the answers beside their rows.
    order: "cupel_id",
  };
  return [
    ...rows.before,
    ...replacing(rowsTable!, query(subqueries, ["cupel_row", `${id} AS cupel_id`, ...columns], last), dialect),
    ...statements,
    ...answerStatements(stages, source, answers, rows, dialect),
  ];
}

function treesOf(model: Model): WalkedTrees[] {
  return membersOf(model).flatMap(({ prefix, model: member, codeOf }) =>
    member.kind === "forest" || member.kind === BOOSTED_TREES_KIND ? [{ prefix, model: member, codeOf }] : [],
  );
}

/** Nodes of trees that the text of the query has. */
function nodesOf(model: Model): number {
  return membersOf(model).reduce((sum, { model: member }) => sum + caseNodes(member), 0);
}

/** The members that weigh something; a model that is no stack is its only member. */
function membersOf(model: Model): (Pick<MemberContext, "prefix" | "codeOf"> & { model: BaseModel })[] {
  return model.kind === "stack" ? weighingMembers(model) : [{ ...ONLY_MEMBER, model }];
}

function requireWritable({ columns, features, labels, model, texts }: ModelFile, dialect: SqlDialect): void {
  if (texts !== undefined) throw readsTexts("sql", textNames({ columns, texts }));
  const nodes = nodesOf(model);
  if (nodes > dialect.mostCaseNodes && dialect.temporary === null) {
    throw tooLarge(`its trees have ${nodes} nodes, and one query holds ${dialect.mostCaseNodes}`);
  }
  if (features.length + labels.length > MOST_COLUMNS) {
    throw tooLarge(`it has ${features.length} features, and a query has ${MOST_COLUMNS} columns at most`);
  }
  const names = columns.map(({ name }) => name);
  const withNul = [
    ...names.filter((name) => name.includes("\0")),
    ...labels.filter((label) => dialect.text(label) === null),
  ];
  if (withNul.length > 0) throw holdsNul(withNul[0]!, dialect.title);
  const untaken = names.find((name) => !dialect.takesName(name));
  if (untaken !== undefined) throw noName(untaken, dialect.title);
  const firstOf = new Map<string, string>();
  for (const name of names) {
    const first = firstOf.get(dialect.foldedName(name));
    if (first !== undefined) throw sameName(first, name, dialect.title);
    firstOf.set(dialect.foldedName(name), name);
  }
}

interface AddedNames {
  /** The number of a row, where rows have one. */
  row: string;
  prediction: string;
  confidence: string;
  probabilities: readonly string[];
}

/** Named as `cupel predict` does: with `_2` where a known column has the name, in capitals or not. */
function addedNames({ columns, label, labels }: ModelFile): AddedNames {
  const takenNames = new Set([label, ...columns.map(({ name }) => name)].map((name) => name.toLowerCase()));
  const free = (name: string) => name + freeName(name.toLowerCase(), takenNames).slice(name.length);
  return {
    row: free("cupel_row"),
    prediction: free("prediction"),
    confidence: free("confidence"),
    probabilities: probabilityNames(labels).map(free),
  };
}

/** `probability_` and the label; numbered where labels would not make distinct plain names. */
function probabilityNames(labels: readonly string[]): string[] {
  const plain = labels.map((label) => label.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_|_$/g, ""));
  const isDistinct = new Set(plain.map((name) => name.toLowerCase())).size === labels.length;
  const isUsable = isDistinct && plain.every((name) => name !== "" && name.length <= 40);
  return labels.map((_, k) => `probability_${isUsable ? plain[k] : k + 1}`);
}

function headerOf(
  { columns, label, labels, lineage }: ModelFile,
  dialect: SqlDialect,
  { row, prediction, confidence, probabilities }: AddedNames,
  isWalked: boolean,
): string {
  const kinds = columns.map(({ name, reading }) => `${oneLine(name)}: ${typeOf(reading, dialect)}`);
  const lines = [
    `Predicts ${oneLine(label)} for every row of a table. Made by Cupel ${lineage.cupelVersion} for ${dialect.title}.`,
    ...(dialect.notRun === null ? [] : [`Not run by Cupel's makers in ${dialect.notRun}. Prove it by the check file.`]),
    ...(dialect.advice === "" ? [] : [dialect.advice]),
    ...(isWalked ? [WALKED] : []),
    "Columns that the table must have, NULL where there is no value:",
    ...kinds.map((line) => `  ${line}`),
    ...(dialect.row === null ? [`Column that comes first: ${row}, the number of the row as it was read`] : []),
    `Columns that are added: ${prediction}, ${confidence}, and`,
    ...labels.map((text, k) => `  ${probabilities[k]}: ${oneLine(text)}`),
  ];
  return lines.map((line) => `-- ${line}\n`).join("");
}

const WALKED =
  "Run all statements in one session. They keep temporary tables (cupel_…) and need some 0.2 MB of memory a row: " +
  "score some thousand at a time.";

/** The values that a column of the table must hold. */
function typeOf(reading: ColumnReading, { textNumbers }: SqlDialect): string {
  if (reading.kind === "category") return "a text";
  if (reading.kind === "date") return "a date or timestamp, or a text such as 2026-01-31; other texts are missing";
  const { affix } = reading.form;
  const unit = affix === "" ? "" : (CLOCK_UNITS.get(affix) ?? ` of ${oneLine(affix)}`);
  return `a number${unit}; ${textNumbers}`;
}

const CLOCK_UNITS: ReadonlyMap<string, string> = new Map([
  ["h:mm", " of minutes: 14:05 is 845"],
  ["h:mm:ss", " of seconds: 0:03:12 is 192"],
]);

/** In quotation marks and on one line, so that it ends no comment. */
function oneLine(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, " ");
}
