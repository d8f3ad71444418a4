// Scoring text: matches a file's columns with a model's by name, turns cells into codes, and gives class probabilities.
import { type CodedFeature, codeOfNumber, FIRST_CODE, MISSING_CODE, newCodes } from "./buckets.ts";
import { ColumnMismatch } from "./column-mismatch.ts";
import { datePart, packDate } from "./columns/dates.ts";
import { nearestName } from "./columns/near-miss.ts";
import { canonicalNumberText, readNumber } from "./columns/numbers.ts";
import { missingMarkerSet, trimCell } from "./columns/reading.ts";
import { quotedName } from "./csv/header.ts";
import { type Explainer, explainerOf, lacksLeafWeights } from "./families/explain.ts";
import { scoreModel } from "./families/model.ts";
import { decide } from "./metrics.ts";
import type { ModelColumn, ModelFeature, ModelFile } from "./model-file.ts";
import { type Reason, strongestReasons } from "./reasons.ts";
import { applyTemperature } from "./temperature.ts";
import type { Warning } from "./warning.ts";

/** The answer for a batch of records. */
export interface Scores {
  /** `records × classes`. */
  probabilities: Float64Array;
  /** The decided class of each record. */
  decisions: Uint8Array;
  /** Of each record, the strongest first; none where none were asked for. */
  reasons: Reason[][];
}

/** What a file held that the training rows did not, by column. */
interface ColumnCounts {
  unseen: number;
  newMissing: number;
  notRead: number;
}

const NO_COUNTS: Readonly<ColumnCounts> = { unseen: 0, newMissing: 0, notRead: 0 };

/** Scores the records of one file, batch by batch. */
export class Scorer {
  private readonly file: ModelFile;
  /** Position of each model column in the file. */
  private readonly positions: readonly number[];
  private readonly codersOf: readonly FeatureCoder[];
  private readonly missingMarkers: ReadonlySet<string>;
  private readonly counts: readonly ColumnCounts[];
  private readonly headerWarnings: readonly Warning[];
  private readonly reasonCount: number;
  private readonly explain: Explainer | null;

  /**
   * `names`: of the file's columns; null for one that is not to be looked at. `reasonCount`: reasons of each record at most.
   *
   * @throws ColumnMismatch where a column that the model needs is not among them; InputError REASONS_TOO_LARGE
   */
  constructor(file: ModelFile, names: readonly (string | null)[], reasonCount = 0) {
    this.file = file;
    this.reasonCount = reasonCount;
    this.explain = reasonCount > 0 ? explainerOf(file.model, file.temperature) : null;
    this.positions = requireColumns(
      file.columns.map(({ name }) => name),
      names,
    );
    this.codersOf = file.features.map((feature) => featureCoder(feature, file.columns[feature.column]!));
    this.missingMarkers = missingMarkerSet(file.missingMarkers);
    this.counts = file.columns.map(() => ({ ...NO_COUNTS }));
    this.headerWarnings = warnOfHeader(
      file,
      names.filter((name) => name !== null),
    );
  }

  /** Scores records with the file's columns in the file's order. */
  score(records: readonly (readonly string[])[]): Scores {
    const { file } = this;
    const features = file.features.map(
      (feature): CodedFeature => ({
        kind: feature.kind,
        codes: newCodes(feature.codeCount, records.length),
        codeCount: feature.codeCount,
        centres: new Float64Array(0),
      }),
    );
    file.columns.forEach((_, column) => {
      this.codeColumn(column, records, features);
    });
    const rows = Uint32Array.from(records, (_, row) => row);
    const probabilities = scoreModel(file.model, { rowCount: records.length, features }, rows);
    const classCount = file.labels.length;
    // Tempering keeps the order of the classes but for rounding: what decides is the model's own answer.
    const { temperature = 1, classWeights } = file;
    const plain = decide(probabilities, classCount);
    applyTemperature(probabilities, classCount, temperature);
    const decisions = classWeights === undefined ? plain : decide(probabilities, classCount, classWeights);
    return { probabilities, decisions, reasons: this.reasonsOf(features, probabilities, decisions) };
  }

  /** What was unlike the training file so far, with counts. */
  warnings(): Warning[] {
    const warnings = [...this.headerWarnings];
    if (this.explain !== null && lacksLeafWeights(this.file.model)) warnings.push(ROUGH_REASONS);
    this.file.columns.forEach(({ name, missingCount }, index) => {
      const { unseen, newMissing, notRead } = this.counts[index]!;
      const add = (code: string, count: number, what: string) => {
        if (count > 0) warnings.push({ code, message: `Column ${quotedName(name)}: ${what}`, column: name, count });
      };
      add("UNSEEN_CATEGORY", unseen, `${cells(unseen)} a category that the training file did not have.`);
      add("NOT_READ", notRead, `${cells(notRead)} text that cannot be read as the training file's; taken as missing.`);
      if (missingCount === 0) {
        add("NEW_MISSING", newMissing, `${cells(newMissing)} no value, which no training row had.`);
      }
    });
    return warnings;
  }

  /** Begins the counts of the warnings anew. */
  forgetCounts(): void {
    for (const counts of this.counts) Object.assign(counts, NO_COUNTS);
  }

  private reasonsOf(features: readonly CodedFeature[], probabilities: Float64Array, decisions: Uint8Array): Reason[][] {
    const { explain, file, reasonCount } = this;
    if (explain === null) return [];
    const classCount = file.labels.length;
    const columnOfFeature = file.features.map(({ column }) => column);
    return Array.from(decisions, (decided, row) => {
      const own = probabilities.slice(row * classCount, (row + 1) * classCount);
      // What stood against the decision is what would have been decided otherwise.
      for (let k = 0; k < classCount; k++) own[k] = own[k]! * (file.classWeights?.[k] ?? 1);
      const contributions = explain(features.map(({ codes }) => codes[row]!));
      return strongestReasons(contributions, own, decided, columnOfFeature, reasonCount);
    });
  }

  private codeColumn(column: number, records: readonly (readonly string[])[], features: readonly CodedFeature[]): void {
    const position = this.positions[column]!;
    const counts = this.counts[column]!;
    const coders = this.file.features.flatMap((feature, index) =>
      feature.column === column ? [{ code: this.codersOf[index]!, codes: features[index]!.codes }] : [],
    );
    for (let row = 0; row < records.length; row++) {
      const text = trimCell(records[row]![position]!);
      if (this.missingMarkers.has(text)) {
        counts.newMissing++;
        for (const { codes } of coders) codes[row] = MISSING_CODE;
        continue;
      }
      let outcome = KNOWN;
      for (const { code, codes } of coders) {
        const answer = code(text);
        codes[row] = answer < 0 ? ~answer : answer;
        if (answer < 0) outcome = ~answer === MISSING_CODE ? NOT_READ : UNSEEN;
      }
      if (outcome === UNSEEN) counts.unseen++;
      else if (outcome === NOT_READ) counts.notRead++;
    }
  }
}

const ROUGH_REASONS: Warning = {
  code: "ROUGH_REASONS",
  message:
    "The model's file does not say how many rows each leaf of its forests was made of: for reasons, both sides of a split " +
    "count as equally likely. Train it again to have reasons by the rows that it learned from.",
};

const KNOWN = 0;
const UNSEEN = 1;
const NOT_READ = 2;

/** The code of a trimmed text that is not missing; the complement (~) of the code where the text was new to the model. */
type FeatureCoder = (text: string) => number;

function featureCoder(feature: ModelFeature, { reading }: ModelColumn): FeatureCoder {
  if (feature.kind === "category") return categoryCoder(feature);
  const { cutPoints, part } = feature;
  if (reading.kind === "number") {
    const { form } = reading;
    return (text) => {
      const value = readNumber(text, form);
      return Number.isFinite(value) ? codeOfNumber(value, cutPoints) : ~MISSING_CODE;
    };
  }
  if (reading.kind !== "date" || part === null) throw new Error(`feature of a ${reading.kind} column without its part`);
  const { form } = reading;
  return (text) => {
    const date = packDate(text, form);
    return date < 0 ? ~MISSING_CODE : codeOfNumber(datePart(date, part), cutPoints);
  };
}

/** Texts are compared exactly; where every category is a plain number, `1.0` is also read as the category `1`. */
function categoryCoder(feature: Extract<ModelFeature, { kind: "category" }>): FeatureCoder {
  const codeOf = new Map(feature.names.map((name, index) => [name, feature.codes[index]!]));
  const allNumbers = feature.names.length > 0 && feature.names.every((name) => canonicalNumberText(name) === name);
  const others = ~feature.codeOfOthers;
  return (text) => {
    const code = codeOf.get(text);
    if (code !== undefined) return code >= FIRST_CODE ? code : others;
    const alias = allNumbers ? canonicalNumberText(text) : null;
    return (alias === null ? undefined : codeOf.get(alias)) ?? others;
  };
}

/**
 * The position of each needed column among a file's names.
 *
 * @throws ColumnMismatch naming those that are not there
 */
export function requireColumns(needed: readonly string[], fileNames: readonly (string | null)[]): number[] {
  const positionOf = new Map(fileNames.map((name, index) => [name, index]));
  const missing = needed.filter((name) => !positionOf.has(name));
  if (missing.length > 0) {
    const names = fileNames.filter((name) => name !== null);
    const isNeeded = new Set(needed);
    const listed = missing
      .slice(0, 10)
      .map((name) => quoteWithHint(name, names))
      .join(", ");
    const more = missing.length > 10 ? ` and ${missing.length - 10} more` : "";
    throw new ColumnMismatch(
      `The file lacks ${missing.length} of the ${needed.length} columns that the model needs: ${listed}${more}. ` +
        "Names must match exactly; their order does not matter.",
      { missing, unexpected: names.filter((name) => !isNeeded.has(name)), expectedCount: needed.length },
    );
  }
  return needed.map((name) => positionOf.get(name)!);
}

function quoteWithHint(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === null ? quotedName(name) : `${quotedName(name)} (the file has ${quotedName(near)})`;
}

function warnOfHeader(file: ModelFile, names: readonly string[]): Warning[] {
  const needed = new Set(file.columns.map(({ name }) => name));
  const extra = names.filter((name) => !needed.has(name) && name !== file.label);
  const warnings: Warning[] = [];
  if (names.includes(file.label)) {
    warnings.push({
      code: "LABEL_IGNORED",
      message: `Column ${quotedName(file.label)} is what the model predicts; it was not used.`,
      column: file.label,
    });
  }
  if (extra.length > 0) {
    const listed = extra.slice(0, 10).map(quotedName).join(", ");
    warnings.push({
      code: "EXTRA_COLUMNS",
      message: `${extra.length} columns that the model does not use were ignored: ${listed}${extra.length > 10 ? ", …" : ""}.`,
      count: extra.length,
    });
  }
  return warnings;
}

function cells(count: number): string {
  return count === 1 ? "1 cell has" : `${count} cells have`;
}
