// Why each column was kept or removed: the reason and the evidence for a choice that is made already.
import type { ColumnKind } from "../profile/profile.ts";
import { DIFFERENCE_PART, type Feature, featuresByColumn, sourcesOf } from "../table/table.ts";
import { isOfText } from "../table/text-shape.ts";
import type { ColumnCheck } from "./column-checks.ts";
import type { ColumnDecision, ColumnEvidence, KeepReason, RemoveReason } from "./decision.ts";
import { type FeatureEvidence, isRelevant } from "./evidence.ts";
import type { FeatureFacts } from "./feature-facts.ts";

/** The choice, and the facts that its reasons rest on. Columns are positions in the file. */
export interface ReasonInput {
  columns: readonly { name: string; index: number; kind: ColumnKind; role: "feature" | "label" }[];
  features: readonly Feature[];
  checks: readonly ColumnCheck[];
  facts: readonly FeatureFacts[];
  /** By feature index; features that were not judged are left out. */
  evidence: ReadonlyMap<number, FeatureEvidence>;
  kept: ReadonlySet<number>;
  /** Why columns stay that have no evidence of their own. */
  keptWithoutEvidence: KeepReason;
  /** By removed near copy: the column that stands for it. */
  representatives: ReadonlyMap<number, number>;
  /** By removed column: the cross-validated accuracy that its step lost, with all columns that the step removed. */
  accuracyEffects: ReadonlyMap<number, number>;
}

/** One decision per column but the label, in file order. */
export function explainDecisions(input: ReasonInput): ColumnDecision[] {
  const { columns, checks, kept, features } = input;
  const checkOf = new Map(checks.map((check) => [check.column, check]));
  const nameOf = new Map(columns.map(({ index, name }) => [index, name]));
  const featuresOf = featuresByColumn(features);
  return columns
    .filter(({ role }) => role === "feature")
    .map(({ name, index, kind }) => {
      const check = checkOf.get(index)!;
      const features = featuresOf.get(index) ?? [];
      const evidence = features.flatMap((feature) => input.evidence.get(feature) ?? []);
      const isKept = kept.has(index) || check.keep === "KEPT_FOR_JUDGING";
      const other = isKept
        ? differsFrom(input, index, features)
        : (check.removal?.with ?? input.representatives.get(index) ?? null);
      return {
        name,
        position: index,
        kind,
        decision: isKept ? "KEEP" : "REMOVE",
        reason: isKept ? keepReason(input, index, check, evidence) : removeReason(input, index, check),
        with: other === null ? null : nameOf.get(other)!,
        flags: check.flags,
        importance: evidence.some(({ forest }) => forest !== null)
          ? sumOf(evidence, ({ forest }) => forest?.gain)
          : null,
        stability: evidence.length === 0 ? null : Math.max(...evidence.map(({ stability }) => stability)),
        evidence: evidenceOf(input, index, features, evidence),
      };
    });
}

/** The other column of a difference, where only differences of this one are relevant. */
function differsFrom(
  { evidence, features: allFeatures }: ReasonInput,
  column: number,
  features: readonly number[],
): number | null {
  const relevant = features
    .filter((feature) => evidence.has(feature) && isRelevant(evidence.get(feature)!))
    .map((feature) => allFeatures[feature]!);
  if (!relevant.every(({ part }) => part === DIFFERENCE_PART)) return null;
  return relevant.flatMap(sourcesOf).find((source) => source !== column) ?? null;
}

function keepReason(
  { keptWithoutEvidence, representatives }: ReasonInput,
  column: number,
  check: ColumnCheck,
  evidence: readonly FeatureEvidence[],
): KeepReason {
  if (check.keep !== null) return check.keep;
  if ([...representatives.values()].includes(column)) return "REPRESENTATIVE";
  if (evidence.some(({ isUnivariate }) => isUnivariate)) return "SIGNAL_UNIVARIATE";
  if (evidence.some(({ isForest }) => isForest)) return "SIGNAL_FOREST";
  if (evidence.some(({ isInteraction }) => isInteraction)) return "SIGNAL_INTERACTION";
  return keptWithoutEvidence;
}

function removeReason({ representatives }: ReasonInput, column: number, check: ColumnCheck): RemoveReason {
  if (check.removal !== null) return check.removal.reason;
  return representatives.has(column) ? "REDUNDANT_WITH" : "NO_SIGNAL";
}

function evidenceOf(
  { facts, accuracyEffects, features: allFeatures }: ReasonInput,
  column: number,
  features: readonly number[],
  evidence: readonly FeatureEvidence[],
): ColumnEvidence {
  const ofFeatures = features.map((feature) => facts[feature]!);
  const forests = evidence.flatMap(({ forest }) => forest ?? []);
  const best = forests.toSorted((a, b) => b.hits / Math.max(1, b.rounds) - a.hits / Math.max(1, a.rounds))[0];
  return {
    // The smallest of several p-values is small by chance: Bonferroni over a
    // date's features. A text's arrive corrected.
    pValue: least(ofFeatures, ({ pValue, featureIndex }) =>
      Math.min(1, isOfText(allFeatures[featureIndex]!) ? pValue : pValue * ofFeatures.length),
    ),
    mutualInformation: most(ofFeatures, (fact) => fact.mutualInformation),
    strength: most(ofFeatures, (fact) => fact.strength),
    hits: best?.hits ?? null,
    rounds: best?.rounds ?? null,
    gain: best?.gain ?? null,
    shadowGain: best?.shadowGain ?? null,
    permutationZ: most(evidence, (feature) => feature.permutationZ),
    probabilityLoss: most(evidence, (feature) => feature.probabilityLoss),
    accuracyLoss: most(evidence, (feature) => feature.accuracyLoss),
    // A date's features may differ: one that was shuffled is enough.
    notShuffled: evidence.some(({ permutationZ }) => permutationZ !== null) ? null : (evidence[0]?.notShuffled ?? null),
    accuracyEffect: accuracyEffects.get(column) ?? null,
  };
}

function most<T>(items: readonly T[], value: (item: T) => number | null): number | null {
  const values = items.flatMap((item) => value(item) ?? []);
  return values.length === 0 ? null : Math.max(...values);
}

function least<T>(items: readonly T[], value: (item: T) => number): number | null {
  return items.length === 0 ? null : Math.min(...items.map(value));
}

function sumOf<T>(items: readonly T[], value: (item: T) => number | undefined): number {
  return items.reduce((sum, item) => sum + (value(item) ?? 0), 0);
}
