// The parts of an attempt before it is whole: the results of its units, and why it ended early.
import type { BaseModel, BaseSettings } from "../families/base-algorithms.ts";
import type { ForestPart } from "../trees/forest-parts.ts";

/** Why an attempt was not taken through all folds: log-losses on the first one's rows. */
export interface EarlyEnd {
  foldCount: number;
  logLoss: number;
  /** The attempt of its family that did best there. */
  better: { attempt: number; logLoss: number };
}

/** Parts that other threads made beforehand; the rest is made here, to the same bytes. */
export interface AttemptParts {
  /** As found, where the attempt had something to choose. */
  settings?: BaseSettings;
  /**
   * Class probabilities of each fold's judging rows, by a model that learned from its
   * learning rows; those of the first alone may be there.
   */
  foldScores?: readonly Float64Array[];
  /** The first fold's model, where the attempt is to end early. */
  firstModel?: BaseModel;
  earlyEnd?: EarlyEnd;
  /** Fitted on all learning rows with these settings. */
  model?: BaseModel;
  /** All trees of a forest, some in each. */
  forestParts?: readonly ForestPart[];
  /**
   * Class probabilities of the learning rows and then of the holdout, by the model of all learning rows; some in each.
   */
  modelScores?: readonly Float64Array[];
}
