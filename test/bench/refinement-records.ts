// What the campaign has found so far, one line of JSON for each piece of
// work, so that it can be stopped and taken up again.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { RefinementState } from "../../src/summary/refinement-summary.ts";
import type { Answers } from "./refinement-figures.ts";

export const CUPEL = "Cupel";
export const ALL_COLUMNS = "all columns";
export const TRUE_COLUMNS = "true columns";
export type JudgeName = "scikit-learn" | "Cupel's models";

/** A table drawn with a seed. */
export interface Case {
  table: string;
  seed: number;
}

/** What cupel refine says of its own work. */
export interface RefineFigures {
  state: RefinementState;
  baselineAccuracy: number;
  baselineFamily: string;
  currentAccuracy: number;
  currentFamily: string;
  acceptedCheckpoints: number;
  holdoutMean: number | null;
  recommendedThreshold: number | null;
  peakMegabytes: number;
}

export interface SelectionRecord extends Case {
  kind: "selection";
  selector: string;
  /** Null where the selector failed or ran out of time; `failure` then says how. */
  kept: string[] | null;
  failure: string | null;
  seconds: number;
  refine: RefineFigures | null;
}

export interface JudgementRecord extends Case {
  kind: "judgement";
  judge: JudgeName;
  /** In the order of the file. */
  kept: string[];
  answers: Answers;
}

/** One `cupel run` that followed. */
export interface TrainingRecord extends Case {
  kind: "training";
  kept: string[];
  /** The recommended threshold, or null for a run that goes through its whole plan. */
  target: number | null;
  achieved: number | null;
  /** Answers of the champion to the OUTER rows. */
  right: string;
  seconds: number;
}

export type CampaignRecord = SelectionRecord | JudgementRecord | TrainingRecord;

/**
 * A file of JSON lines; of two lines on the same piece of work the later one counts, a line that was cut off does not.
 */
export class Records {
  private readonly path: string;
  private readonly byKey = new Map<string, CampaignRecord>();

  constructor(path: string) {
    this.path = path;
    if (!existsSync(path)) return;
    const text = readFileSync(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) writeFileSync(path, whole);
    for (const line of whole.split("\n").slice(0, -1)) {
      const record: CampaignRecord = JSON.parse(line);
      this.byKey.set(keyOf(record), record);
    }
  }

  add(record: CampaignRecord): void {
    appendFileSync(this.path, `${JSON.stringify(record)}\n`);
    this.byKey.set(keyOf(record), record);
  }

  selection(at: Case, selector: string): SelectionRecord | undefined {
    return this.byKey.get(keyOf({ kind: "selection", ...at, selector })) as SelectionRecord | undefined;
  }

  judgement(at: Case, judge: JudgeName, kept: readonly string[]): JudgementRecord | undefined {
    return this.byKey.get(keyOf({ kind: "judgement", ...at, judge, kept })) as JudgementRecord | undefined;
  }

  training(at: Case, kept: readonly string[], target: number | null): TrainingRecord | undefined {
    return this.byKey.get(keyOf({ kind: "training", ...at, kept, target })) as TrainingRecord | undefined;
  }
}

type Key =
  | Pick<SelectionRecord, "kind" | "table" | "seed" | "selector">
  | (Pick<JudgementRecord, "kind" | "table" | "seed" | "judge"> & { kept: readonly string[] })
  | (Pick<TrainingRecord, "kind" | "table" | "seed" | "target"> & { kept: readonly string[] });

function keyOf(record: Key): string {
  const { kind, table, seed } = record;
  if (kind === "selection") return JSON.stringify([kind, table, seed, record.selector]);
  if (kind === "judgement") return JSON.stringify([kind, table, seed, record.judge, record.kept]);
  return JSON.stringify([kind, table, seed, record.target, record.kept]);
}
