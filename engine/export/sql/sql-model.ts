// A model as one SQL query over a table of typed columns.

import { BOOSTED_TREES_KIND } from "../../boosting/boosted-trees.ts";
import type { ColumnReading } from "../../columns/reading.ts";
import { freeName } from "../../csv/header.ts";
import type { Model } from "../../families/algorithms.ts";
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { ModelFile } from "../../model/model-file.ts";
import { readsTexts, textNames } from "../text-refusals.ts";
import { codeName, codeStages, SOURCE } from "./cell-codes.ts";
import { breaksOf } from "./code-breaks.ts";
import { decisionOf } from "./decision.ts";
import { DIALECTS, type DialectName, type SqlDialect } from "./dialects.ts";
import type { MemberContext } from "./member-context.ts";
import { caseNodes, memberProbabilities } from "./member-scores.ts";
import { replacing, type WalkedTrees, walkStatements } from "./node-table.ts";
import { holdsNul, sameName, tooLarge } from "./refusals.ts";
import { mergeColumns, stackProbabilities, weighingMembers } from "./stack-scores.ts";
import { renderStages, type Source, type Stages } from "./stages.ts";

export interface SqlOptions {
  dialect: DialectName;
  /** The table of the rows; parts are separated by points. */
  table: string;
  /** Nodes of trees that become CASE expressions at most; more are walked through tables. */
  mostCaseNodes?: number;
}

/** Nodes of trees in one query: planning takes a second or two for as many, and grows faster than they do. */
const MOST_CASE_NODES = 20_000;
/** Features and classes at most, so that text is never made of thousands of them. */
const MOST_COLUMNS = 1_500;
const ONLY_MEMBER = { prefix: "m_", codeOf: codeName } as const;

/**
 * The statements that score the rows of a table; the last one gives every column of the table, `prediction`,
 * `confidence` and a probability for each label, by names that no column of the model has. More than one where trees
 * are walked through tables.
 *
 * @throws InputError which says why the model cannot become SQL, and what to do instead
 */
export function sqlOf(file: ModelFile, { dialect: name, table, mostCaseNodes = MOST_CASE_NODES }: SqlOptions): string {
  const dialect = DIALECTS[name];
  requireWritable(file, dialect);
  const { model, features, labels } = file;
  const codeCounts = features.map(({ codeCount }) => codeCount);
  const isWalked = nodesOf(model) > mostCaseNodes;
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
  const final = [
    dialect.columnsOf("cupel_row"),
    `${chosen(labels.map((label) => dialect.text(label)!))} AS ${names.prediction}`,
    `${chosen(answer.names)} AS ${names.confidence}`,
    ...answer.names.map((p, k) => `${p} AS ${names.probabilities[k]}`),
  ].join(",\n  ");
  const from = `${table.split(".").map(dialect.identifier).join(".")} AS ${SOURCE}`;
  const source = { from, row: dialect.rowOf(SOURCE), given: [] };
  const stages = [...shares.stages, ...answer.stages];
  const statements = isWalked
    ? walkedScoring(model, values, [codes, merged], source, stages, final, dialect)
    : [renderStages([...values, codes, merged, ...stages], source, final, dialect)];
  const sql = headerOf(file, dialect, names, isWalked) + statements.map((statement) => `${statement};\n`).join("");
  if (sql.length > dialect.mostBytes) {
    const [size, most] = [sql.length, dialect.mostBytes].map((bytes) => (bytes / 1e6).toFixed(1));
    throw tooLarge(`its SQL would have ${size} MB, and ${dialect.title} gets ${most} MB at most`);
  }
  return sql;
}

/** The rows' codes in a table of their own, the sums of their leaves in another, and the query over both. */
function walkedScoring(
  model: Model,
  values: Stages,
  codes: Stages,
  source: Source,
  stages: Stages,
  final: string,
  dialect: SqlDialect,
): string[] {
  const walked = treesOf(model);
  const columns = codes.flatMap((stage) => stage.map(([name]) => name));
  const list = `cupel_row, ROW_NUMBER() OVER () AS cupel_id, ARRAY[${columns.join(", ")}] AS codes, ${columns.join(", ")}`;
  const rows = dialect.temporary!("cupel_rows");
  const { statements, sums } = walkStatements(walked, columns, dialect);
  const given = {
    from: `${rows} JOIN ${dialect.temporary!("cupel_sums")} USING (cupel_id)`,
    row: "cupel_row",
    given: ["cupel_id", ...columns, ...sums],
    // Joins change the order, and people lay the answers beside their rows.
    order: "cupel_id",
  };
  return [
    ...replacing(rows, renderStages([...values, ...codes], source, list, dialect)),
    ...statements,
    renderStages(stages, given, final, dialect),
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
  if (nodes > MOST_CASE_NODES && dialect.temporary === null) {
    throw tooLarge(`its trees have ${nodes} nodes, and one query holds ${MOST_CASE_NODES}`);
  }
  if (features.length + labels.length > MOST_COLUMNS) {
    throw tooLarge(`it has ${features.length} features, and a query has ${MOST_COLUMNS} columns at most`);
  }
  const names = [...columns.map(({ name }) => name).filter((name) => name.includes("\0"))];
  const unwritten = [...names, ...labels.filter((label) => dialect.text(label) === null)];
  if (unwritten.length > 0) throw holdsNul(unwritten[0]!, dialect.title);
  const firstOf = new Map<string, string>();
  for (const { name } of columns) {
    const first = firstOf.get(dialect.foldedName(name));
    if (first !== undefined) throw sameName(first, name, dialect.title);
    firstOf.set(dialect.foldedName(name), name);
  }
}

interface AddedNames {
  prediction: string;
  confidence: string;
  probabilities: readonly string[];
}

/** Named as `cupel predict` does: with `_2` where a known column has the name, in capitals or not. */
function addedNames({ columns, label, labels }: ModelFile): AddedNames {
  const takenNames = new Set([label, ...columns.map(({ name }) => name)].map((name) => name.toLowerCase()));
  const free = (name: string) => name + freeName(name.toLowerCase(), takenNames).slice(name.length);
  return {
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
  { prediction, confidence, probabilities }: AddedNames,
  isWalked: boolean,
): string {
  const kinds = columns.map(({ name, reading }) => `${oneLine(name)}: ${typeOf(reading)}`);
  const lines = [
    `Predicts ${oneLine(label)} for every row of a table. Made by Cupel ${lineage.cupelVersion} for ${dialect.title}.`,
    ...(dialect.isRun
      ? []
      : [`Not run by Cupel's makers: written by the documentation of ${dialect.title}. Check it by the check file.`]),
    ...(dialect.advice === "" ? [] : [dialect.advice]),
    ...(isWalked ? [WALKED] : []),
    "Columns that the table must have, NULL where there is no value:",
    ...kinds.map((line) => `  ${line}`),
    `Columns that are added: ${prediction}, ${confidence}, and`,
    ...labels.map((text, k) => `  ${probabilities[k]}: ${oneLine(text)}`),
  ];
  return lines.map((line) => `-- ${line}\n`).join("");
}

const WALKED =
  "Run all statements in one session. They keep temporary tables (cupel_…) and need some 0.2 MB of memory a row: " +
  "score some thousand at a time.";

/** The values that a column of the table must hold. */
function typeOf(reading: ColumnReading): string {
  if (reading.kind === "category") return "a text";
  if (reading.kind === "date") return "a date or timestamp, or a text such as 2026-01-31; other texts are missing";
  const { affix } = reading.form;
  const unit = affix === "" ? "" : (CLOCK_UNITS.get(affix) ?? ` of ${oneLine(affix)}`);
  return `a number${unit}; convert texts first, and to NULL where they mean that there is no value`;
}

const CLOCK_UNITS: ReadonlyMap<string, string> = new Map([
  ["h:mm", " of minutes: 14:05 is 845"],
  ["h:mm:ss", " of seconds: 0:03:12 is 192"],
]);

/** In quotation marks and on one line, so that it ends no comment. */
function oneLine(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, " ");
}
