// Runs a refinement from its two files to its result: as on the command line, with a journal that survives restarts.
import { randomUUID } from "node:crypto";
import type { StoredEvidence } from "../../data/database/records.ts";
import type { FileKind } from "../../data/database/schema.ts";
import { FILE_KINDS, type RefinementStageState } from "../../data/database/states.ts";
import { placeWhole, type StoredFile } from "../../data/files/file-store.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { openUnitJournal, type UnitJournal } from "../../data/files/unit-journal.ts";
import { listRefinementFiles } from "../../data/refinements/refinement-files.ts";
import {
  addRefinementProgress,
  enterRefinementState,
  finishRefinement,
  isRefinementCancelled,
  type RefinementEnd,
  setRefinementRows,
  setRefinementTotal,
} from "../../data/refinements/refinement-runs.ts";
import { findOwnedRefinement, type Refinement } from "../../data/refinements/refinements.ts";
import { refinementNeed } from "../../engine/memory/refinement-need.ts";
import { sizeOf } from "../../engine/memory/sizes.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { sumOf } from "../../engine/sums.ts";
import type { Warning } from "../../engine/warning.ts";
import type { TableAnswer } from "../../workers/messages.ts";
import { askedColumnsOf, keyRequestOf } from "../../workers/reading/profile-file.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import { refine } from "../refining/refine.ts";
import { refinementResult } from "../refining/refinement-account.ts";
import type { RefineOutcome } from "../refining/refinement-job.ts";
import type { RefinementListener } from "../refining/refinery.ts";
import { dealFiles, holdOutFifth } from "../training/refine-first.ts";
import { classesOf } from "../training/run-summary.ts";
import { type Journal, rememberedNow, runUnit } from "../work/units.ts";
import { columnFacts } from "./column-facts.ts";
import { elapsedMs, fileLimits, type JobRun, type JobServices } from "./job-run.ts";
import { reasonOf } from "./reason.ts";
import { type Held, type JobEnd, jobEnd, runToEnd } from "./run-to-end.ts";
import { heldRoom } from "./written.ts";

type ReducedFile = StoredFile & { kind: FileKind };

/** The journal's unit with the keys of the result files, by kind. */
export const RESULT_FILES_UNIT = "result files";

/** Works on a claimed refinement. */
export function runRefinement(refinement: Refinement, run: JobRun, services: JobServices): Promise<void> {
  return runToEnd(run, services, {
    job: nameOf(refinement),
    // Looked up again after a full disk: the listener goes on from what is shown.
    work: async (held) => {
      const known = findOwnedRefinement(services.database, refinement.userKey, refinement.key) ?? refinement;
      return refinedEnd(openFlow(known, run, services, held));
    },
    failed: (error) => writing(failedEnd(error, refinement, services), refinement, run, services),
  });
}

function nameOf({ key }: Refinement): string {
  return `refinement ${key}`;
}

function writing(end: RefinementEnd, { key }: Refinement, run: JobRun, { database }: JobServices): JobEnd {
  const named = "files" in end ? end.files.map(({ path }) => path) : [];
  return jobEnd(() => finishRefinement(database, key, end, new Date(), elapsedMs(run)), named);
}

interface RefinementFlow {
  refinement: Refinement;
  run: JobRun;
  services: JobServices;
  journal: UnitJournal;
  /** Paths in the state folder. */
  uploads: Record<FileKind, string>;
  /** Size of the files that the result is cut from: it takes less. */
  uploadBytes: number;
  /** SHA-256 of the uploads. */
  hashes: { train: string; test: string };
  results: Record<FileKind, string>;
  /** TEST equals TRAIN byte for byte: a fifth of the rows becomes the blind test (D65), and only TRAIN is written. */
  isOneFile: boolean;
  held: Held;
}

function openFlow(refinement: Refinement, run: JobRun, services: JobServices, held: Held): RefinementFlow {
  const { database, state } = services;
  const files = listRefinementFiles(database, refinement.key).filter(({ purpose }) => purpose === "UPLOAD");
  const uploadOf = (kind: FileKind) => files.find((file) => file.kind === kind)!;
  const hashes = { train: uploadOf("TRAIN").sha256, test: uploadOf("TEST").sha256 };
  const isOneFile = hashes.train === hashes.test;
  const uploads = { TRAIN: uploadOf("TRAIN").path, TEST: uploadOf("TEST").path };
  const uploadBytes = uploadOf("TRAIN").sizeBytes + (isOneFile ? 0 : uploadOf("TEST").sizeBytes);
  const identity = identityOf(refinement, hashes);
  held.journal ??= openUnitJournal(state.locate(statePaths.journal(refinement.key)), identity);
  const { journal } = held;
  const results = resultPaths(journal);
  held.files.push(results.TRAIN, results.TEST);
  return {
    refinement,
    run,
    services,
    journal,
    uploads,
    uploadBytes,
    hashes,
    results,
    isOneFile,
    held,
  };
}

/** Identifies the work of a journal: the same files and options, read by the same program. */
function identityOf(refinement: Refinement, { train, test }: RefinementFlow["hashes"]): string {
  const { numberOfBuckets, seed, removeLeaks, missingValues, labelColumn, positiveLabel } = refinement;
  const options = { numberOfBuckets, seed, removeLeaks, missingValues, labelColumn, positiveLabel };
  const header = refinement.hasHeader ? {} : { hasHeader: false };
  const columns = askedColumnsOf(refinement);
  return JSON.stringify({ version: CUPEL_VERSION, train, test, ...options, ...header, ...columns });
}

/** The same paths after a restart, so that no file of an interrupted pair is left behind. */
function resultPaths(journal: Journal): RefinementFlow["results"] {
  const keys = rememberedNow(journal, RESULT_FILES_UNIT, () => ({ TRAIN: randomUUID(), TEST: randomUUID() }));
  return { TRAIN: statePaths.file(keys.TRAIN), TEST: statePaths.file(keys.TEST) };
}

/** Null where the job has to wait for more memory than it started with. */
async function refinedEnd(flow: RefinementFlow): Promise<JobEnd | null> {
  const { refinement, run, services } = flow;
  run.memory.require();
  const files = await readFiles(flow);
  if (!run.memory.correct(needOf(flow, files))) return null;
  const results: ReducedFile[] = [];
  const { table, columns, keys, label } = files.source;
  const outcome = await refine({ table, columns, keys, train: files.train, test: files.test }, optionsOf(flow), {
    pool: run.pool,
    cancelFlag: run.control.stopFlag,
    startMs: run.control.startMs,
    journal: flow.journal,
    listener: listenerOf(refinement, services),
    writeFiles: async (kept) => {
      results.push(...(await writeResults(flow, kept, label)));
    },
  });
  return writing(await endOfOutcome(flow, outcome, files, results), refinement, run, services);
}

function needOf({ refinement: { numberOfBuckets }, run }: RefinementFlow, { source: { table } }: ReadFiles): number {
  return refinementNeed(sizeOf(table), { threadCount: run.pool.size, numberOfBuckets });
}

/** Both files as one table, with the rows of each. */
interface ReadFiles {
  source: TableAnswer;
  train: Uint32Array;
  test: Uint32Array;
  hasTestFile: boolean;
  warnings: readonly Warning[];
}

async function readFiles({
  refinement,
  run,
  services,
  uploads,
  hashes,
  isOneFile,
}: RefinementFlow): Promise<ReadFiles> {
  const {
    trainFileName,
    testFileName,
    labelColumn: label,
    missingValues: missingMarkers,
    hasHeader,
    columnChoices,
    seed,
  } = refinement;
  const trainPath = services.state.locate(uploads.TRAIN);
  const limits = fileLimits(run.control.stopFlag);
  const readingRequest = { label, missingMarkers, columnChoices, hasHeader, ...keyRequestOf(refinement) };
  if (isOneFile) {
    const request = { path: trainPath, ...readingRequest, sha256: hashes.train };
    const source = await runUnit(run.pool, "readTable", request, limits);
    return { source, ...holdOutFifth(source, seed), hasTestFile: false, warnings: source.warnings };
  }
  const shownNames = { train: trainFileName, test: testFileName };
  const testPath = services.state.locate(uploads.TEST);
  const request = { trainPath, testPath, shownNames, ...readingRequest, hashes };
  const { source, trainRowCount, test } = await runUnit(run.pool, "readPair", request, limits);
  return {
    source,
    ...dealFiles(source, trainRowCount),
    hasTestFile: true,
    warnings: [...source.warnings, ...test.warnings],
  };
}

function optionsOf({ refinement, services }: RefinementFlow) {
  const { numberOfBuckets, seed, removeLeaks, positiveLabel } = refinement;
  return { numberOfBuckets, seed, removeLeaks, positiveLabel, timeLimitSeconds: services.timeCaps.refinementSeconds };
}

/** Ignores states, counts and rows that an earlier process published. */
function listenerOf(
  { key, progressCompleted, currentRows: knownRows }: Refinement,
  { database, watch }: JobServices,
): RefinementListener {
  let shown = progressCompleted ?? 0;
  let shownRows = knownRows;
  return {
    state: (name) => {
      const isEntered = enterRefinementState(database, key, name as RefinementStageState, new Date());
      if (isEntered) watch.entered({ kind: "refinement", key }, name);
    },
    progress: (completed, total) => {
      if (completed === 0) setRefinementTotal(database, key, total);
      for (; shown < completed; shown++) addRefinementProgress(database, key);
    },
    rows: (baselineRows, currentRows) => {
      const isWorse = (row: number) => (currentRows[row]?.falseDecisions ?? Infinity) > shownRows[row]!.falseDecisions;
      if (shownRows.keys().some(isWorse)) return;
      shownRows = currentRows;
      setRefinementRows(database, key, { baselineRows, currentRows });
    },
  };
}

async function endOfOutcome(
  flow: RefinementFlow,
  outcome: RefineOutcome,
  input: ReadFiles,
  files: readonly ReducedFile[],
): Promise<RefinementEnd> {
  const { state, stateReason, partial } = outcome;
  const result = {
    ...refinementResult(outcome, input.hasTestFile, input.warnings),
    grounds: evidenceOf(outcome, input),
  };
  switch (state) {
    case "REFINEMENT_COMPLETED":
      return { state, result, files };
    case "TIMEOUT": {
      if (!partial) return { state, errorReason: stateReason, result: null, files: [] };
      const errorReason = `${stateReason} What had been found by then is kept.`;
      return { state, errorReason, result, files: await writeResults(flow, result.keptColumns, input.source.label) };
    }
    case "CANCELLED":
      throw new Cancelled();
    case "ERROR":
      throw outcome.error;
  }
}

function evidenceOf(outcome: RefineOutcome, { source, train, test }: ReadFiles): StoredEvidence {
  const { majority, reached, checkpoints } = outcome;
  const { code, falseDecisions, accuracy } = majority;
  return {
    labelColumn: source.label,
    majority: { label: source.table.labels[code]!, falseDecisions, accuracy },
    trainRowCount: train.length,
    testRowCount: test.length,
    keptRows: reached,
    checkpoints,
    classes: classesOf(source),
    columns: columnFacts(source.columns, []),
  };
}

/** Work is also cancelled when a thread had to be ended; only the user's cancel ends the job as CANCELLED. */
function failedEnd(error: unknown, refinement: Refinement, services: JobServices): RefinementEnd {
  if (!(error instanceof Cancelled))
    return { state: "ERROR", errorReason: reasonOf(error, nameOf(refinement), services) };
  if (isRefinementCancelled(services.database, refinement.key)) return { state: "CANCELLED" };
  return { state: "ERROR", errorReason: reasonOf(new Error("cancelled by nobody"), nameOf(refinement), services) };
}

async function writeResults(
  flow: RefinementFlow,
  keptColumns: readonly string[],
  label: string,
): Promise<ReducedFile[]> {
  const { refinement, run, services, uploads, uploadBytes, results, held, isOneFile } = flow;
  const { userKey, key } = refinement;
  held.neededBytes = uploadBytes;
  const limits = fileLimits(run.control.stopFlag);
  const writes = await Promise.allSettled(
    (isOneFile ? (["TRAIN"] as const) : FILE_KINDS).map(async (kind) => {
      const inputPath = services.state.locate(uploads[kind]);
      const path = results[kind];
      const { sizeBytes, sha256 } = await placeWhole(services.state.locate(path), async (outputPath) => {
        const request = { inputPath, outputPath, keptColumns, label, hasHeader: refinement.hasHeader };
        return runUnit(run.pool, "writeReduced", request, limits);
      });
      return { kind, path, sizeBytes, sha256 };
    }),
  );
  // Waits for both, so that no file is placed after the results were removed.
  const files = writes.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
  const bytes = sumOf(files.map(({ sizeBytes }) => sizeBytes));
  const isOver = () => isRefinementCancelled(services.database, key);
  held.releases.push(await heldRoom(run, services, { userKey, bytes, isOver }));
  return files;
}
