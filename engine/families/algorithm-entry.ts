// The facts that the registry asks for of every algorithm.
import type { FamilyName, FitInput } from "./family.ts";
import type { FitSize } from "./fit-memory.ts";
import type { ModelForm, ModelHead } from "./model-form.ts";

export interface AlgorithmEntry<Settings, Model extends ModelHead> {
  family: FamilyName;
  /** The name that people see of a model with these settings. */
  nameOf(settings: Settings): string;
  /** The form of its models: how they are scored, explained, measured and stored. */
  form: ModelForm<Model>;
  /** Its place by the cost of scoring a row, the cheapest first: where all else is equal the cheaper model is better (D42). */
  costRank: number;
  /**
   * Whether its probabilities are tempered: those of sums of many terms are bolder, or more cautious, than they come true. Not
   * a forest's, whose out-of-bag votes are those of a third of its trees and tell little of all of them, nor a stack's, which
   * is fitted on log-odds of rows that its members had not seen.
   */
  isTempered: boolean;
  /** Whether most of its models are weaker than others of its family: each is worth a look, and few are worth all folds. */
  isSimple: boolean;
}

/** An algorithm that learns from rows alone; a stack rests on other attempts instead. */
export interface BaseEntry<Settings, Model extends ModelHead> extends AlgorithmEntry<Settings, Model> {
  /** Fits on `input.rows` alone. Throws `Cancelled`; when time is up it returns the best model reached so far. */
  fit(input: FitInput, settings: Settings): Model;
  /** The setting that is moved while an attempt is below its target; null for none. */
  regularisation: "l2" | "smoothing" | null;
  /** Bytes that a thread takes at most for a fit and its model, beside codes and probabilities. */
  fitBytes(size: FitSize): number;
}
