// A refinement on a server: waits for it, and tells it as a local one is told.
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Cancelled } from "../../engine/stop-signal.ts";
import { columnSummariesOf, decisionsOf } from "../api/refinements/refinement-answers.ts";
import type { RefinementEvidence } from "../api/refinements/refinement-evidence.ts";
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import type { RefinementAnswer } from "../api/refinements/refinement-result.ts";
import { CupelProblem } from "../clients/typescript/problem.ts";
import type { Refinement } from "../clients/typescript/refinement.ts";
import type { WaitOptions } from "../clients/typescript/waiting.ts";
import { SEED } from "../common/limits.ts";
import type { RefinementFile, RefinementSummary } from "../summary/refinement-summary.ts";
import type { ColumnSummary } from "../summary/summary.ts";
import { stayingWords } from "../words/staying-words.ts";
import type { Remote } from "./connect.ts";
import type { Interrupts } from "./interrupts.ts";

/** The result of a refinement on a server. */
export interface RemoteRefinement {
  summary: RefinementSummary;
  /** The columns found by reading the file, for the report. */
  columns: ColumnSummary[];
  classes: RefinementEvidence["classes"];
  /** The reduced files: TRAIN alone where TEST is the same file (D65). */
  kinds: ("TRAIN" | "TEST")[];
}

interface RefinedFiles {
  trainPath: string;
  /** Null where a fifth of TRAIN is the blind test. */
  testPath: string | null;
  numberOfBuckets: number;
}

/**
 * Waits until a refinement has ended, also without a result: then null, and why is noted by the caller's `tell`.
 *
 * @throws Cancelled where it was cancelled, here or there
 */
export async function endOfRefinement(
  refinement: Refinement,
  remote: Remote,
  { interrupts, waiting, asked }: { interrupts: Interrupts; waiting: WaitOptions; asked: RefinedFiles },
): Promise<RemoteRefinement | { failure: CupelProblem }> {
  const cancel = () => refinement.cancel({ signal: interrupts.signal });
  const words = "the server ends the refinement, which then has no result.";
  try {
    await interrupts.during({ cancel, words }, () => refinement.wait(waiting));
  } catch (error) {
    const { state } = refinement.about;
    if (!(error instanceof CupelProblem) || error.code !== "REFINEMENT_FAILED") throw error;
    if (state === "CANCELLED") throw new Cancelled();
    // Out of time it may have found something.
    if (state !== "TIMEOUT" || !(await hasResult(refinement, interrupts.signal))) return { failure: error };
  }
  return accountOf(refinement, remote, asked, interrupts.signal);
}

async function hasResult(refinement: Refinement, signal: AbortSignal): Promise<boolean> {
  try {
    await refinement.result({ signal });
    return true;
  } catch (error) {
    if (error instanceof CupelProblem && error.code === "NOT_READY") return false;
    throw error;
  }
}

async function accountOf(
  { key }: Refinement,
  { connection, url, version }: Remote,
  { trainPath, testPath, numberOfBuckets }: RefinedFiles,
  signal: AbortSignal,
): Promise<RemoteRefinement> {
  const ask = <T>(part: string) => connection.json<T>("GET", `/api/v1/feature-refinery/${key}/${part}`, { signal });
  const result = await ask<RefinementAnswer>("result");
  const evidence = await ask<RefinementEvidence>("evidence");
  const progress = await ask<RefinementProgress>("progress");
  const { trainRowCount, testRowCount } = evidence;
  const { keptColumns, removedColumns } = result;
  const state = result.state as RefinementSummary["state"];
  const kinds = result.files.map(({ kind }) => kind);
  const decisions = decisionsOf(result, evidence);
  const columns = columnSummariesOf(evidence);
  const used = new Set(columns.filter((column) => column.used).map(({ name }) => name));
  const summary = {
    cupelVersion: version,
    state,
    stateReason: progress.errorReason ?? stayingWords(decisions, used),
    partial: result.partial,
    reachedTarget: result.reachedTarget,
    baselineTarget: result.baselineTarget,
    recommendedThreshold: result.recommendedThreshold,
    keptAccuracy: result.keptAccuracy,
    holdoutEstimate: result.holdoutEstimate,
    majority: evidence.majority,
    baselineTopPerformances: evidence.baselinePerformances,
    currentTopPerformances: evidence.currentPerformances,
    keptPerformances: evidence.keptPerformances,
    columns: decisions,
    keptColumns,
    removedColumns,
    checkpoints: evidence.checkpoints,
    activities: progress.recentActivities,
    train: await fileOf(trainPath, trainRowCount),
    test: testPath === null || !kinds.includes("TEST") ? null : await fileOf(testPath, testRowCount),
    testRows: testRowCount,
    label: evidence.labelColumn,
    files: [],
    numberOfBuckets,
    seed: SEED,
    elapsedSeconds: progress.elapsedSeconds,
    progressCompleted: progress.progressCompleted ?? 0,
    progressTotal: progress.progressTotal,
    warnings: result.warnings,
    server: { url, featureRefinementKey: key },
    // The API's texts are those of the engine, which its schemas do not list one by one.
  } as unknown as RefinementSummary;
  return { summary, columns, classes: evidence.classes, kinds };
}

async function fileOf(path: string, rows: number): Promise<RefinementFile> {
  const hash = new Bun.CryptoHasher("sha256");
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { name: basename(path), sha256: hash.digest("hex"), sizeBytes, rows };
}
