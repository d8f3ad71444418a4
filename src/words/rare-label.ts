// The rarest label of a run in counts of rows, which accuracy and means over the labels do not tell.

import type { Objective } from "../../engine/judging/objective.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { labelInQuotes } from "../common/markup.ts";
import type { VersionSummary } from "../summary/summary.ts";

/** One of two labels with a smaller share of the rows is told under the objective accuracy too. */
const RARE_SHARE = 0.2;

interface Facts {
  objective: Objective;
  classes: readonly { label: string }[];
  holdout: { rows: number };
}

/** Null where the rarest label with held-out rows is not rare, or many labels count by their rows. */
export function rareLabelWords(
  { objective, classes, holdout: { rows } }: Facts,
  { byClass }: Pick<VersionSummary, "byClass">,
): string | null {
  const supports = byClass.map(({ support }) => support);
  const code = supports.indexOf(Math.min(...supports.filter((support) => support > 0)));
  const isByRows = objective === "accuracy" && classes.length !== 2;
  const limit = objective === "accuracy" ? RARE_SHARE : 1 / classes.length;
  if (isByRows || supports[code]! >= limit * rows) return null;
  const { support, decided, recall } = byClass[code]!;
  const label = labelInQuotes(classes[code]!.label);
  const found = Math.round(support * recall!);
  const rare = `Of ${formatAmount(support, "held-out row")} of ${label}, the rarest label, the champion found`;
  if (decided === 0) return `${rare} none: it called no row ${label}.`;
  return (
    `${rare} ${formatCount(found)} (${formatPercent(recall)}). It called ${formatCount(decided)} of all ` +
    `${formatAmount(rows, "row")} ${label} (${formatPercent(decided / rows)}), ` +
    `${formatCount(found)} of these rightly (${formatPercent(found / decided)}).`
  );
}
