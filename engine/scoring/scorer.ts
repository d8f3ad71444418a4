// Scoring text: matches a file's columns with a model's by name, turns cells into codes, and gives class probabilities.

import { nearestName, nearWords } from "../columns/near-miss.ts";
import { listFirst, listNames, quotedName } from "../csv/header.ts";
import { explainerOf } from "../explain/explanations.ts";
import type { Explainer } from "../explain/log-shares.ts";
import { effectsOn, isPart, type Reason, reasonSources, strongestOf, strongestReasons } from "../explain/reasons.ts";
import { strongestWords, termEffects } from "../explain/word-effects.ts";
import { weighed } from "../judging/metrics.ts";
import type { ModelFeature, ModelFile } from "../model/model-file.ts";
import { looksLikeData } from "../profile/header-check.ts";
import { sumOf } from "../sums.ts";
import { type CodedFeature, type CodedView, newCodes } from "../table/buckets.ts";
import { selectTermRows, type TermRows } from "../text/term-rows.ts";
import { countSlots } from "../text/term-slots.ts";
import type { Warning } from "../warning.ts";
import { FileCounts } from "../watch/file-counts.ts";
import { unknownLabelWarnings } from "../watch/unknown-labels.ts";
import { answerOf } from "./answer.ts";
import { CellCoder } from "./cell-coder.ts";
import { ColumnMismatch } from "./column-mismatch.ts";
import { FileDialect } from "./file-dialect.ts";
import type { TakenTexts } from "./text-coder.ts";

/** Columns shown that the model does not know. */
const UNKNOWN_SHOWN = 3;

/** The answer for a batch of records. */
export interface Scores {
  /** `records × classes`. */
  probabilities: Float64Array;
  /** The decided class of each record. */
  decisions: Uint8Array;
  /** For each record, the strongest first; empty where none were asked for. */
  reasons: Reason[][];
}

/** Scores the records of one file, batch by batch. */
export class Scorer {
  private readonly modelFile: ModelFile;
  /** Codes cells in the file's order. */
  readonly coder: CellCoder;
  private readonly positions: readonly number[];
  private dialect: FileDialect | null = null;
  private readonly headerWarnings: readonly Warning[];
  private readonly reasonCount: number;
  private readonly explain: Explainer | null;
  private readonly reasonSources: ReturnType<typeof reasonSources>;
  /** Null where nobody asks for them. */
  readonly counts: FileCounts | null;
  private readonly features: readonly ModelFeature[];

  /**
   * `names`: of the file's columns; null for one that is not to be looked at. `reasonCount`: reasons of each record at
   * most. `countedRows`: rows of the file, where its cells are counted, to be held against the training rows.
   *
   * @throws ColumnMismatch where a column that the model needs is not among them; InputError REASONS_TOO_LARGE
   */
  constructor(
    modelFile: ModelFile,
    names: readonly (string | null)[],
    reasonCount = 0,
    countedRows: number | null = null,
  ) {
    this.modelFile = modelFile;
    this.counts = countedRows === null ? null : new FileCounts(modelFile, names.includes(modelFile.label), countedRows);
    const coded = this.counts?.model ?? modelFile;
    this.features = coded.features;
    this.reasonCount = reasonCount;
    this.reasonSources = reasonSources(modelFile.columns.length, modelFile.features);
    this.explain = reasonCount > 0 ? explainerOf(modelFile.model, modelFile.temperature) : null;
    const needed = coded.columns.map(({ name }) => name);
    this.positions = requireColumns(needed, names, modelFile.label);
    this.coder = new CellCoder(coded, this.positions, reasonCount > 0, modelFile.columns.length);
    this.headerWarnings = warnOfHeader(
      modelFile,
      names.filter((name) => name !== null),
    );
  }

  /**
   * Collects how a file with these columns writes its numbers and dates; `delimiter`: null for rows of JSON.
   * `asTrained`: takes for granted that it writes them as the training file did.
   */
  newDialect(delimiter: string | null, asTrained = false): FileDialect {
    const dialect = new FileDialect(this.modelFile, this.positions, delimiter);
    dialect.isSettled = asTrained;
    return dialect;
  }

  /**
   * Reads cells from now on as the file writes them, by what `dialect` has taken in.
   *
   * @throws InputError UNREADABLE_COLUMN
   */
  readAs(dialect: FileDialect): void {
    dialect.requireReadable();
    this.dialect = dialect;
    this.coder.readAs(dialect.readings());
  }

  /** Scores records with the file's columns in the file's order. `lines`: where they stand; null for rows of JSON. */
  score(records: readonly (readonly string[])[], lines: ArrayLike<number> | null = null): Scores {
    const features = this.roomFor(records.length);
    this.coder.codeRecords(
      records,
      features.map(({ codes }) => codes),
      0,
      lines,
    );
    return this.scoreCodes(features, records.length);
  }

  get featureCount(): number {
    return this.features.length;
  }

  get readsTexts(): boolean {
    return this.modelFile.texts !== undefined;
  }

  /** Features for the codes of up to `rowCount` records, as `coder` writes them. */
  roomFor(rowCount: number): CodedFeature[] {
    return this.features.map(
      ({ kind, codeCount }): CodedFeature => ({
        kind: kind === "category" ? "category" : "number",
        codes: newCodes(codeCount, rowCount),
        codeCount,
        centres: new Float64Array(0),
      }),
    );
  }

  /** Scores the first `rowCount` records that were coded. */
  scoreCodes(coded: readonly CodedFeature[], rowCount: number): Scores {
    const { modelFile, counts } = this;
    const features = coded.slice(0, modelFile.features.length);
    const takenTexts = this.coder.takeTexts();
    const texts = takenTexts.map(({ rows }) => rows);
    const view = texts.length === 0 ? { rowCount, features } : { rowCount, features, texts };
    const { probabilities, decisions } = answerOf(modelFile, view);
    counts?.add(coded[modelFile.features.length]?.codes ?? null, rowCount, { probabilities, decisions });
    return { probabilities, decisions, reasons: this.reasonsOf(view, takenTexts, probabilities, decisions) };
  }

  /** Warnings about rows unlike the training file so far, with counts. */
  warnings(): Warning[] {
    const { coder, modelFile } = this;
    // A label that the model does not know says something else than a category of a column.
    const ofCells = coder.warnings().filter(({ column }) => column !== modelFile.label);
    return [...this.headerWarnings, ...(this.dialect?.warnings() ?? []), ...ofCells, ...this.labelWarnings()];
  }

  private labelWarnings(): Warning[] {
    const { coder, counts, modelFile } = this;
    const confusion = counts?.confusion ?? null;
    if (confusion === null) return [];
    return unknownLabelWarnings(coder.unseenIn(modelFile.columns.length), sumOf(confusion.flat()), modelFile);
  }

  private reasonsOf(
    { features }: CodedView,
    takenTexts: readonly TakenTexts[],
    probabilities: Float64Array,
    decisions: Uint8Array,
  ): Reason[][] {
    const { explain, modelFile, reasonCount } = this;
    if (explain === null) return [];
    const classCount = modelFile.labels.length;
    const { sources, sourceOfFeature } = this.reasonSources;
    return Array.from(decisions, (decided, row) => {
      // The reasons tell the decision from the label that would have been decided otherwise.
      const shares = weighed(probabilities.subarray(row * classCount, (row + 1) * classCount), classCount, modelFile);
      const terms = takenTexts.map(({ rows }) => selectTermRows(rows, Uint32Array.of(row)));
      const apart = explain(
        features.map(({ codes }) => codes[row]!),
        terms,
      );
      const effects = effectsOn(decided, shares, apart);
      const slots = terms.flatMap((text, index) =>
        new Array<number>(countSlots(text)).fill(modelFile.texts![index]!.column),
      );
      const reasons = strongestReasons(effects, [...sourceOfFeature, ...slots], sources, reasonCount);
      return reasons.map((reason) => ({
        ...reason,
        ...this.wordsOf(reason, effects, terms, (index) => takenTexts[index]!.texts[row]!),
        ...this.partsOf(reason, effects),
      }));
    });
  }

  /** The words of a reason whose column is read as text. `textAt`: of the row, by the text's place in the model. */
  private wordsOf(
    reason: Reason,
    effects: Float64Array,
    terms: readonly TermRows[],
    textAt: (index: number) => string,
  ): Pick<Reason, "words"> {
    const { features, texts = [] } = this.modelFile;
    const index = texts.findIndex(({ column }) => column === reason.column);
    if (index < 0) return {};
    const firstSlot = terms.slice(0, index).reduce((sum, text) => sum + countSlots(text), features.length);
    const slots = effects.subarray(firstSlot, firstSlot + countSlots(terms[index]!));
    const scores = features.flatMap((feature, item) => {
      if (feature.kind !== "score" || feature.column !== reason.column) return [];
      return [{ effect: effects[item]!, bias: feature.bias, weights: feature.scoreWeights }];
    });
    const found = termEffects(terms[index]!, slots, scores);
    return { words: strongestWords(found, this.coder.namesIn(textAt(index), reason.column)) };
  }

  /** The parts of a reason whose column holds dates or texts. */
  private partsOf({ column, minus }: Reason, effects: Float64Array): Pick<Reason, "parts"> {
    if (minus !== undefined) return {};
    const ofParts = this.modelFile.features.flatMap((feature, item): [string, number][] =>
      feature.column === column && isPart(feature) ? [[feature.part!, effects[item]!]] : [],
    );
    if (ofParts.length === 0) return {};
    return { parts: strongestOf(new Map(ofParts)).map(([part, effect]) => ({ part, effect })) };
  }
}

/**
 * The position of each needed column among a file's names.
 *
 * `label`: a column that may stand beside them. @throws ColumnMismatch naming those that are not there
 */
export function requireColumns(
  needed: readonly string[],
  fileNames: readonly (string | null)[],
  label: string | null = null,
): number[] {
  const positionOf = new Map(fileNames.map((name, index) => [name, index]));
  const missing = needed.filter((name) => !positionOf.has(name));
  if (missing.length > 0) {
    const names = fileNames.filter((name) => name !== null);
    const isNeeded = new Set(needed);
    const unexpected = names.filter((name) => !isNeeded.has(name));
    const message = mismatchMessage(
      missing,
      names,
      needed,
      unexpected.filter((name) => name !== label),
    );
    throw new ColumnMismatch(message, { missing, unexpected, expectedCount: needed.length });
  }
  return needed.map((name) => positionOf.get(name)!);
}

/** A model whose columns have names knows no numbered ones. */
function headerAdvice(needed: readonly string[]): string {
  return needed.every((name) => /^column_\d+$/.test(name))
    ? "say so: --no-header (hasHeader over the API)."
    : "put a header above it, or name its columns: --input-header on the command line.";
}

/** `unknown`: columns of the file that the model does not know, of which one may be a missing one. */
function mismatchMessage(
  missing: readonly string[],
  names: readonly string[],
  needed: readonly string[],
  unknown: readonly string[],
): string {
  const neededCount = needed.length;
  const shown = missing.slice(0, 10).map((name) => ({ name, near: nearestName(name, names) }));
  const listed = shown.map(({ name, near }) =>
    near === null ? quotedName(name) : `${quotedName(name)} (the file has ${nearWords(name, near)})`,
  );
  const nears = new Set(shown.map(({ near }) => near));
  const lacksAll = missing.length === neededCount;
  const isData = looksLikeData(names) || (lacksAll && nears.has(null));
  const others = unknown.filter((name) => !nears.has(name));
  const isListed = !isData && !lacksAll && nears.has(null) && others.length > 0;
  return (
    `The file lacks ${missing.length} of the ${neededCount} columns that the model needs: ` +
    `${listFirst(listed, missing.length)}. Names must match exactly; their order does not matter.` +
    (isListed ? ` The file also has ${listNames(others, UNKNOWN_SHOWN)}, which the model does not know.` : "") +
    (isData ? ` If the first line is data, ${headerAdvice(needed)}` : "")
  );
}

function warnOfHeader(modelFile: ModelFile, names: readonly string[]): Warning[] {
  const needed = new Set(modelFile.columns.map(({ name }) => name));
  const extra = names.filter((name) => !needed.has(name) && name !== modelFile.label);
  const warnings: Warning[] = [];
  if (names.includes(modelFile.label)) {
    warnings.push({
      code: "LABEL_IGNORED",
      message: `Column ${quotedName(modelFile.label)} is what the model predicts; it was not used.`,
      column: modelFile.label,
    });
  }
  if (extra.length > 0) {
    const listed = extra.slice(0, 10).map(quotedName).join(", ");
    warnings.push({
      code: "EXTRA_COLUMNS",
      message: `${extra.length === 1 ? "A column that the model does not use was" : `${extra.length} columns that the model does not use were`} ignored: ${listed}${extra.length > 10 ? ", …" : ""}.`,
      count: extra.length,
    });
  }
  return warnings;
}
