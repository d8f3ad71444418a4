// The protocol between the main thread and the workers: every kind of work with its request and its answer.

import type { CurveRange, EffectCurves } from "../engine/explain/effect-curves.ts";
import type { ColumnImportance, ColumnPart } from "../engine/explain/importance.ts";
import type { ModelSettings } from "../engine/families/algorithms.ts";
import type { BaseModel } from "../engine/families/base-algorithms.ts";
import type { LibraryBaseline } from "../engine/families/library-baselines.ts";
import type { CalibrationBin } from "../engine/judging/metrics.ts";
import type { ReliabilityMap } from "../engine/judging/reliability.ts";
import type { ThresholdCurve } from "../engine/judging/thresholds.ts";
import type { ModelFile } from "../engine/model/model-file.ts";
import type { OutcomeCounts } from "../engine/outcomes/outcomes.ts";
import type { BlindScore } from "../engine/refinement/blind-score.ts";
import type { ClusterLoss } from "../engine/refinement/cluster-permutation.ts";
import type { RowScores, ValidatedPart, ValidationPart } from "../engine/refinement/cross-validation.ts";
import type { EntrantFit } from "../engine/refinement/entrants.ts";
import type { FeatureFacts } from "../engine/refinement/feature-facts.ts";
import type { ShadowGains } from "../engine/refinement/shadow-gains.ts";
import type { RefinementTask } from "../engine/refinement/task.ts";
import type { AttemptPieces } from "../engine/search/attempt-pieces.ts";
import type { AttemptUnit, UnitMade } from "../engine/search/attempt-units.ts";
import type { Decider } from "../engine/search/decider.ts";
import type { GrownBase, GrownMember } from "../engine/search/grow.ts";
import type { FittedStack, MainEffects, StackFits } from "../engine/search/qualify-stack.ts";
import type { BaseFound, Confirmation, Confirming, FoundSettings } from "../engine/search/refit.ts";
import type { StackRows } from "../engine/search/stack-rows.ts";
import type { KeptVotes, StackBase } from "../engine/search/stack-votes.ts";
import type { BaseSpec, EarlyEnd, Qualification, TrainingTask } from "../engine/search/training-task.ts";
import type { PairedDecisions } from "../engine/successor/paired-decisions.ts";
import type { Forest } from "../engine/trees/forest.ts";
import type { TreeRange } from "../engine/trees/forest-ranges.ts";
import type { CompareModelsRequest } from "./compare-models.ts";
import type { CountOutcomesRequest } from "./count-outcomes.ts";
import type { ExportOnnxRequest } from "./export-onnx.ts";
import type { FaultFacts } from "./fault-facts.ts";
import type { LeakageAnswer, LeakageQuestion, LeakageRequest } from "./find-leakage.ts";
import type { JoinRowsAnswer, JoinRowsRequest } from "./join-rows.ts";
import type { ReadTableRequest } from "./reading/profile-file.ts";
import type { PairAnswer, ReadPairRequest } from "./reading/read-pair.ts";
import type { SourceColumn, TableAnswer } from "./reading/read-table.ts";
import type { CheckAnswer, CheckRequest, GainsRequest, GroupsRequest } from "./refine.ts";
import type { LargeBody, LargeBodyAnswer } from "./scoring/large-body.ts";
import type { ScoreFileAnswer, ScoreFileRequest } from "./scoring/score-file.ts";
import type { WriteReducedAnswer, WriteReducedRequest } from "./write-reduced.ts";

/**
 * Each kind of work with its request and its answer. Large arrays lie on
 * shared memory or are transferred, never copied.
 */
export interface Work {
  readTable: { request: ReadTableRequest; answer: TableAnswer };
  findLeakage: { request: LeakageRequest; answer: LeakageAnswer };
  attemptUnit: { request: OnTask<{ spec: BaseSpec; unit: AttemptUnit }>; answer: UnitMade & { seconds: number } };
  judgeFirstFold: { request: OnTask<FirstFoldRequest>; answer: { earlyEnd: EarlyEnd | null } };
  qualify: { request: OnTask<AttemptRequest>; answer: AttemptAnswer };
  stackMembers: { request: OnTask<{ bases: readonly StackBase[] }>; answer: { members: number[]; seconds: number } };
  stackFit: { request: OnTask<StackFitRequest>; answer: FittedStack & { seconds: number } };
  stack: { request: OnTask<StackRequest>; answer: AttemptAnswer };
  baseline: { request: OnTask<BaselineRequest>; answer: BaselineAnswer };
  fit: { request: OnTask<FitRequest>; answer: BaseModel };
  confirm: { request: OnTask<Confirming & { measuresColumns: boolean }>; answer: Confirmation };
  measureColumns: { request: OnTask<Confirming & { columns: ColumnPart }>; answer: ColumnImportance[] };
  pack: { request: OnTask<PackRequest>; answer: PackAnswer };
  grow: { request: OnTask<{ base: BaseFound; rowCount: number }>; answer: GrowAnswer };
  judgeGrown: { request: OnTask<JudgeGrownRequest>; answer: AttemptAnswer };
  effects: { request: OnTask<EffectsRequest>; answer: EffectCurves[] };
  scoreFile: { request: ScoreFileRequest; answer: ScoreFileAnswer };
  countOutcomes: { request: CountOutcomesRequest; answer: OutcomeCounts };
  joinRows: { request: JoinRowsRequest; answer: JoinRowsAnswer };
  compareModels: { request: CompareModelsRequest; answer: PairedDecisions };
  exportOnnx: { request: ExportOnnxRequest; answer: { sizeBytes: number } };
  scoreRows: { request: LargeBody; answer: LargeBodyAnswer };
  readPair: { request: ReadPairRequest; answer: PairAnswer };
  writeReduced: { request: WriteReducedRequest; answer: WriteReducedAnswer };
  measureFeatures: { request: OnTask<{ from: number; to: number }>; answer: FeatureFacts[] };
  checkColumns: { request: OnTask<CheckRequest>; answer: CheckAnswer };
  growBlindPart: { request: OnTask<EntrantFit & { part: TreeRange }>; answer: Forest };
  scoreBlind: { request: OnTask<EntrantFit & { made: readonly Forest[] }>; answer: BlindScore };
  validatePart: { request: OnTask<EntrantFit & { part: ValidationPart }>; answer: ValidatedPart };
  crossValidate: { request: OnTask<EntrantFit & { made: readonly ValidatedPart[] }>; answer: RowScores };
  growBesideShadows: { request: OnTask<GainsRequest>; answer: ShadowGains };
  groupFeatures: { request: OnTask<{ features: readonly number[] }>; answer: number[] };
  shuffleGroups: { request: OnTask<GroupsRequest>; answer: ClusterLoss[] };
}

/** A request about an open task. */
type OnTask<T> = T & { taskId: number };

/** Sent to each thread once; requests name it by its number. */
export type SharedTask = TrainingTask | RefinementTask;

export type WorkKind = keyof Work;

export type { LeakageAnswer, LeakageQuestion, PairAnswer, SourceColumn, TableAnswer };

/** Limits that every request carries. */
export interface Limits {
  /** Shared; not 0 once the work was cancelled. */
  cancelFlag: Int32Array;
  /** `performance.now()` of the main thread at which the time is up. */
  deadlineMs: number;
  /** Seconds that this piece of work may take once a worker has begun it. */
  mostSeconds: number;
  /** True if those are seconds of the processor, which other work of the machine does not use up. */
  byProcessor?: boolean;
  /** It goes before waiting work of less urgency; 0 where it is left out. */
  urgency?: number;
}

/** Limits as sent to a worker, whose clock has another zero than the main thread's. */
export interface WorkerLimits {
  cancelFlag: Int32Array;
  /** Counted from when the worker begins. */
  leftMs: number;
  /** Milliseconds of the processor; left out for no limit. */
  processorMs?: number;
}

/** Limits of work that only a cancellation ends. */
export function untilCancelled(cancelFlag: Int32Array): Limits {
  return { cancelFlag, deadlineMs: Number.POSITIVE_INFINITY, mostSeconds: Number.POSITIVE_INFINITY };
}

export interface AttemptRequest {
  spec: BaseSpec;
  /** Attempts whose results may end this one early. */
  others: readonly StackBase[];
  /** All that units have made of it, which is put together; left out to make it in one piece. */
  pieces?: AttemptPieces;
}

export interface StackRequest {
  withMains: boolean;
  /** The bases that the stack keeps. */
  members: readonly StackBase[];
  fits: StackFits;
}

export interface StackFitRequest extends Omit<StackRequest, "fits"> {
  rows: StackRows;
}

/** Whether an attempt ends after its first fold, whose probabilities are given. */
export interface FirstFoldRequest {
  spec: BaseSpec;
  scores: Float64Array;
  others: readonly StackBase[];
}

export interface AttemptAnswer {
  settings: ModelSettings;
  outOfFoldAccuracy: number;
  outOfFoldLogLoss: number;
  trainingAccuracy: number;
  /** Turns probabilities into decisions, also those of the refitted model. */
  decider: Decider;
  holdout: HoldoutAnswer;
  /** Left out of journals of earlier versions. */
  reliability?: ReliabilityMap;
  /** The votes that a stack may use; null for a stack itself, and where the table is too large for one. */
  votes: KeptVotes | null;
  mains: MainEffects | null;
  /** A stack's fits for the parts that confirm, each without the part's rows; see `partsWithWeights`. */
  confirming?: readonly FittedStack[];
  /** As a `Qualification` has them. */
  earlyEnd?: EarlyEnd;
  betterMember?: NonNullable<Qualification["betterMember"]>;
  seconds: number;
  /** Rows that its models learned from, where these are not all but the held-out ones. */
  learnedRows?: number;
}

interface HoldoutAnswer {
  falseDecisions: number;
  accuracy: number;
  /** The value of the run's objective. */
  score: number;
  /** Rows of the rarest label among those held out. */
  rarestRowCount: number;
  logLoss: number;
  decisions: Uint8Array;
  calibration: CalibrationBin[];
  /** For class 1; null where there are more than two classes. */
  thresholds: ThresholdCurve | null;
}

export interface BaselineRequest {
  which: LibraryBaseline;
  seed: number;
}

export interface BaselineAnswer {
  sampleRowCount: number;
  judgedRowCount: number;
  falseDecisions: number;
  accuracy: number;
  logLoss: number;
  seconds: number;
}

/** Fits a base model on all rows but those of the judging part; on all rows where that is null. */
export interface FitRequest {
  base: BaseFound;
  judgingPart: number | null;
  /** Grows only these trees of a forest. */
  trees?: TreeRange;
  /** Puts these ranges of a forest together instead. */
  grown?: readonly Forest[];
}

/** Packs a version whose bases were fitted on all rows. */
export interface PackRequest {
  found: FoundSettings;
  bases: readonly BaseModel[];
  about: ModelAbout;
}

export type GrowAnswer = GrownBase & { seconds: number };

/** Judges a version of a large table whose members have grown. */
export interface JudgeGrownRequest {
  found: FoundSettings;
  members: readonly GrownMember[];
}

export interface PackAnswer {
  bytes: Uint8Array<ArrayBuffer>;
}

/** Some curves of what a version learned of its columns. */
export interface EffectsRequest extends PackRequest {
  /** Source columns, the most important first; empty where that was not measured. */
  byImportance: readonly number[];
  curves: CurveRange;
}

/** The fields of a model file that the main thread knows; the worker adds features and the fitted model. */
export type ModelAbout = Omit<ModelFile, "features" | "model">;

export type ToWorker =
  | { kind: "open"; taskId: number; task: SharedTask }
  | { kind: "close"; taskId: number }
  | { [K in WorkKind]: { kind: "work"; id: number; work: K; request: Work[K]["request"] & WorkerLimits } }[WorkKind];

export type FromWorker =
  | { id: number; outcome: "done"; answer: Work[WorkKind]["answer"] }
  | { id: number; outcome: "cancelled" }
  | { id: number; outcome: "out of time" }
  | {
      id: number;
      outcome: "bad input";
      error: { code: string; message: string; line?: number | undefined; column?: string | undefined };
    }
  | { id: number; outcome: "failed"; message: string; facts: FaultFacts };
