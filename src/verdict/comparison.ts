// Two models side by side: by how much their accuracies differ, whether that can be told at all, and what else differs.
import { independentDifference, pairedDifference } from "../../engine/judging/difference.ts";
import type { Estimate } from "../../engine/judging/metrics.ts";
import { points } from "../charts/scales.ts";
import { formatAmount, formatCount, formatList } from "../common/format.ts";
import type { RunSummary, VersionSummary } from "../summary/summary.ts";

/** A version with the summary of its run. */
export interface Compared {
  run: RunSummary;
  version: VersionSummary;
}

/** The rows that both were judged on: NOT_KNOWN for models of earlier versions. */
export const JUDGED_ON = ["SAME_ROWS", "OTHER_ROWS", "OTHER_LABELS", "NOT_KNOWN"] as const;
type JudgedOn = (typeof JUDGED_ON)[number];

/** The second accuracy less the first, with its 95% interval. */
interface Difference extends Estimate {
  /** True where it rests on which rows each decided right. */
  isPaired: boolean;
  /** True where the interval holds 0. */
  isWithinChance: boolean;
  /** Held-out rows that the first alone decided right, and the second alone; null where it is not paired. */
  firstAlone: number | null;
  secondAlone: number | null;
}

export interface Comparison {
  judgedOn: JudgedOn;
  /** Null where the labels differ. */
  difference: Difference | null;
  /** Sentences: what can be said, and what cannot. */
  statements: string[];
}

export function compare(first: Compared, second: Compared): Comparison {
  const judgedOn = judgedOnOf(first, second);
  if (judgedOn === "OTHER_LABELS") {
    const statement = `They predict other labels: ${labelsOf(first)}, and ${labelsOf(second)}. Their accuracies cannot be compared.`;
    return { judgedOn, difference: null, statements: [statement] };
  }
  const difference = differenceOf(judgedOn, first, second);
  const statements = [basisOf(judgedOn, first, second, difference), inWords(difference), ...cautionsOf(first, second)];
  return { judgedOn, difference, statements };
}

function judgedOnOf(first: Compared, second: Compared): JudgedOn {
  const [one, other] = [first.run, second.run];
  const setOf = ({ classes }: RunSummary) => JSON.stringify(classes.map(({ label }) => label).toSorted());
  if (one.label !== other.label || setOf(one) !== setOf(other)) return "OTHER_LABELS";
  const [digest, otherDigest] = [one.holdout.digest, other.holdout.digest];
  if (digest === undefined || otherDigest === undefined) return "NOT_KNOWN";
  return digest === otherDigest ? "SAME_ROWS" : "OTHER_ROWS";
}

function differenceOf(judgedOn: JudgedOn, first: Compared, second: Compared): Difference {
  const counts = judgedOn === "SAME_ROWS" && isIndependent(first) && isIndependent(second) ? pair(first, second) : null;
  const estimate =
    counts === null
      ? independentDifference(first.version.heldOutPerformance, second.version.heldOutPerformance)
      : pairedDifference(counts);
  const { firstAlone = null, secondAlone = null } = counts ?? {};
  const isWithinChance = estimate.low <= 0 && estimate.high >= 0;
  return { ...estimate, isPaired: counts !== null, isWithinChance, firstAlone, secondAlone };
}

/** Rows of one group, or of one stretch of time, are wrong together: the paired interval would be too narrow. */
function isIndependent({ run }: Compared): boolean {
  return kindOf(run) === "random";
}

type Kind = RunSummary["verdict"]["judgedBy"]["kind"];

/** Runs of earlier versions have no verdict: they were judged on rows drawn at random. */
function kindOf({ verdict }: { verdict?: RunSummary["verdict"] }): Kind {
  return verdict?.judgedBy.kind ?? "random";
}

function pair({ run, version }: Compared, { version: other }: Compared) {
  if (version.wrongRows === undefined || other.wrongRows === undefined) return null;
  const [wrong, otherWrong] = [Uint8Array.fromBase64(version.wrongRows), Uint8Array.fromBase64(other.wrongRows)];
  let [firstAlone, secondAlone] = [0, 0];
  wrong.forEach((bits, at) => {
    firstAlone += ones(otherWrong[at]! & ~bits);
    secondAlone += ones(bits & ~otherWrong[at]!);
  });
  return { rows: run.holdout.rows, firstAlone, secondAlone };
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits & 0xff; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

function basisOf(judgedOn: JudgedOn, { run }: Compared, other: Compared, { isPaired, ...alone }: Difference): string {
  const rows = formatAmount(run.holdout.rows, "held-out row");
  if (isPaired) {
    const { firstAlone, secondAlone } = alone;
    if (firstAlone === 0 && secondAlone === 0) {
      return `Both were judged on the same ${rows}, and decide the same ones right.`;
    }
    return (
      `Both were judged on the same ${rows}: A alone decides ${formatCount(firstAlone)} of ` +
      `them right, B alone ${formatCount(secondAlone)}.`
    );
  }
  if (judgedOn === "SAME_ROWS") {
    return (
      `Both were judged on the same ${rows}, of which those of one group or time are not independent: ` +
      "the interval of the difference takes the two figures for independent, and is rather too wide."
    );
  }
  if (judgedOn === "NOT_KNOWN") {
    return (
      "Which rows were held out is not known of models of earlier versions: " +
      "the interval of the difference takes the two figures for independent."
    );
  }
  const otherRows = formatAmount(other.run.holdout.rows, "row");
  return (
    `They were judged on other rows, ${rows} and ${otherRows}: ` +
    "the difference is not a paired one, and the luck of which rows were held out is in it."
  );
}

function inWords({ mean, low, high, isWithinChance }: Difference): string {
  const interval = `[${signedPoints(low)}, ${signedPoints(high)}]`;
  if (mean === 0) return `They are equally accurate; the interval of the difference is ${interval} points.`;
  const better = mean > 0 ? "B" : "A";
  const chanceWords = isWithinChance ? "that lies within chance" : "that is more than chance";
  return (
    `${better} is more accurate by ${points(Math.abs(mean))} points; ` +
    `B less A is ${signedPoints(mean)} ${interval}: ${chanceWords}.`
  );
}

/** Points with a sign, a plus too. */
export function signedPoints(share: number): string {
  const pointsWords = points(share);
  return share > 0 && pointsWords !== points(0) ? `+${pointsWords}` : pointsWords;
}

/** Why the figures may not answer one question. */
function cautionsOf({ run: one }: Compared, { run: other }: Compared): string[] {
  const cautions: string[] = [];
  const [kind, otherKind] = [kindOf(one), kindOf(other)];
  if (kind !== otherKind) {
    cautions.push(`A was judged ${KINDS[kind]}, B ${KINDS[otherKind]}: the two figures answer different questions.`);
  }
  if (one.objective !== other.objective) {
    cautions.push("They aim at different objectives: accuracy alone does not tell which serves its own better.");
  }
  return cautions;
}

const KINDS: Readonly<Record<Kind, string>> = {
  random: "on rows drawn at random",
  groups: "on groups that it had not seen",
  time: "on the newest rows",
  "groups and time": "on the newest rows of groups that it had not seen",
};

function labelsOf({ run: { label, classes } }: Compared): string {
  const labels = classes.map((each) => `“${each.label}”`);
  return `“${label}” (${formatList(labels, 3)})`;
}
