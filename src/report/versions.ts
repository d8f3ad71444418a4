// The kept versions side by side: figures, confusion matrix, measures by class, calibration and importance.
import type { ClassMetrics, MetricsOfClass } from "../../engine/judging/metrics.ts";
import type { Objective } from "../../engine/judging/objective.ts";
import { sumOf } from "../../engine/sums.ts";
import { calibrationFigure } from "../charts/calibration.ts";
import { confusionFigure } from "../charts/confusion.ts";
import { familyIcon } from "../charts/family-marks.ts";
import { importanceFigure } from "../charts/importance.ts";
import { figureOr, figureTable, pairs, type Row, section, tip } from "../charts/pictures.ts";
import { thresholdCurves } from "../charts/threshold-curves.ts";
import { heldOutRows } from "../charts/threshold-figures.ts";
import { capitalised, formatCount, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";
import type { RunSummary, VersionSummary } from "../summary/summary.ts";
import { MEASURE_NAMES, scoreFigure } from "../words/objective-words.ts";
import { settingsInWords } from "../words/settings-words.ts";

const TITLE = "Versions side by side";

/** One column per version; the rows of the comparison line up. */
export function versionsSection(summary: RunSummary): Markup {
  const { versions } = summary;
  if (versions.length === 0) return section("versions", TITLE, html`<p class="missing">No model was kept.</p>`);
  return section(
    "versions",
    TITLE,
    html`<p class="lead">${versions.length === 1 ? "One version was kept." : `The best ${versions.length} versions, best first.`} The figures are measured on rows that the models had not seen; ${fileWords(versions)}.</p>
<div class="versions count-${versions.length}">${versions.map((version) => versionColumn(summary, version))}</div>`,
  );
}

function versionColumn(summary: RunSummary, version: VersionSummary): Markup {
  const labels = summary.classes.map(({ label }) => label);
  const champion = version.champion ? html` <span class="chip copper">Champion</span>` : null;
  return html`<article class="version${version.champion ? " champion" : ""}">
<header><h3>v${version.version}${champion}</h3><p>${familyIcon(version.family)} ${version.algorithm}</p><p class="note">${plainName(settingsInWords(version.settings), 300)}. Attempt ${version.attempt}, file <code>${name(version.file, 60)}</code></p></header>
<div>${pairs([...optimisedRows(summary.objective, version), ...versionFigures(summary.holdout.rows, version), ...namedMeasures(summary, version)])}</div>
<div><h4>Decisions by class</h4>${confusionFigure(version, labels)}</div>
<div><h4>Measures by class</h4>${classTable(version, labels)}</div>
<div><h4>Calibration</h4>${calibrationFigure(version)}</div>
${thresholds(summary, version)}
<div><h4>Importance of columns</h4>${importanceFigure({ ...version, objective: summary.objective })}</div>
</article>`;
}

/** Only versions of two labels have a threshold. */
function thresholds({ positiveLabel, holdout }: RunSummary, version: VersionSummary): Markup | null {
  const { thresholds: curve, threshold: inUse, heldOutPerformance } = version;
  if (curve === null || inUse === null || positiveLabel === null) return null;
  const rows = heldOutRows(holdout, positiveLabel, heldOutPerformance);
  return html`<div><h4>Thresholds</h4><p class="note">${name(positiveLabel, 32)} is decided above ${formatPercent(inUse)}.</p>${thresholdCurves({ curve, rows, positiveLabel, inUse })}</div>`;
}

function fileWords(versions: readonly VersionSummary[]): string {
  return versions.some(({ learnedRows }) => learnedRows !== undefined)
    ? "the table is large, so each says how many of its rows it learned from"
    : "the model files are then fitted on all rows";
}

type Figures = Pick<
  VersionSummary,
  "confirmedPerformance" | "falseDecisions" | "trainingPerformance" | "testPerformance"
> &
  Partial<Pick<VersionSummary, "balancedAccuracy" | "logLoss" | "heldOutPerformance" | "learnedRows">>;

/** Accuracies and losses of a version, as far as they are known. */
export function versionFigures(holdoutRows: number | null, version: Figures): Row[] {
  const { confirmedPerformance, falseDecisions, trainingPerformance, testPerformance } = version;
  const { balancedAccuracy, logLoss, heldOutPerformance, learnedRows } = version;
  const rows: Row[] = [
    [
      tip("Holdout", "Accuracy on the fifth kept aside, with its 95% interval"),
      heldOutPerformance === undefined ? formatPercent(testPerformance) : formatEstimate(heldOutPerformance),
    ],
    [
      tip("Confirmed", "Accuracy of the same settings on rows held out again; no version was chosen by it"),
      figureOr("the run ended before the re-splits", confirmedPerformance, formatEstimate),
    ],
    [
      "Wrong decisions",
      `${formatCount(falseDecisions)}${holdoutRows === null ? "" : ` of ${formatCount(holdoutRows)}`}`,
    ],
  ];
  if (balancedAccuracy !== undefined) {
    rows.push([
      tip("Balanced accuracy", "The mean of the recalls: every class counts alike, however few rows it has"),
      measure(balancedAccuracy, "the holdout holds no row"),
    ]);
  }
  rows.push([tip("Training", "Accuracy on the 80% it learned from"), formatPercent(trainingPerformance)]);
  if (learnedRows !== undefined) {
    const { file, heldOut, confirmed } = learnedRows;
    rows.push([
      tip(
        "Rows learned from",
        "The table is large: the search, and what confirms it, learned from a sample of its rows",
      ),
      `${formatCount(file)}; for the holdout ${formatCount(heldOut)}, to confirm ${formatCount(confirmed)}`,
    ]);
  }
  if (logLoss !== undefined) {
    rows.push([tip("Log-loss", "How far off the probabilities are; 0 is perfect"), formatFigure(logLoss)]);
  }
  return rows;
}

/**
 * Measures named for the positive label, or as means over the classes. A rarer other label comes first: the high
 * figures of a frequent label are easily taken for its own.
 */
function namedMeasures({ positiveLabel, classes }: RunSummary, version: VersionSummary): Row[] {
  const rowsOf = (named: (measureName: string) => Content, metrics: ClassMetrics): Row[] => {
    const [precision, recall, f1] = measuresOf(metrics);
    return [
      [named("precision"), precision],
      [named("recall"), recall],
      [named("F1"), f1],
    ];
  };
  if (positiveLabel === null || classes.length > 2) {
    return rowsOf((measure) => tip(`Mean ${measure}`, "The mean over the classes where it is defined"), version);
  }
  const of = (label: string) => (measure: string) => html`${capitalised(measure)} of ${name(label, 32)}`;
  const positive = rowsOf(of(positiveLabel), version);
  const other = classes.findIndex(({ label }) => label !== positiveLabel);
  const { label, count } = classes[other]!;
  const isRarer = count < classes[1 - other]!.count;
  return isRarer ? [...rowsOf(of(label), version.byClass[other]!), ...positive] : positive;
}

function measuresOf({ precision, recall, f1Score }: Pick<ClassMetrics, "precision" | "recall" | "f1Score">) {
  return [
    measure(precision, "nothing was decided as this class"),
    measure(recall, "the holdout holds no row of this class"),
    measure(f1Score, "no held-out row has this class, and none was decided as it"),
  ] as const;
}

/** The measure that ranks the versions, if it is not accuracy. */
function optimisedRows(
  objective: Objective,
  { score, objectiveHeldOut, objectiveConfirmed = null }: VersionSummary,
): Row[] {
  if (objective === "accuracy") return [];
  const measureName = MEASURE_NAMES[objective];
  return [
    [
      tip(`Optimised: ${measureName}`, "Decisions serve this measure, and versions are ranked by it"),
      scoreFigure(objective, objectiveHeldOut ?? score),
    ],
    [
      tip(`Confirmed ${measureName}`, "On further re-splits, with its 95% interval"),
      scoreFigure(objective, objectiveConfirmed),
    ],
  ];
}

/** Precision, recall and F1 of every class against all others. */
export function classTable(
  { version, byClass, macroAverages }: Pick<VersionSummary, "version" | "byClass" | "macroAverages">,
  labels: readonly string[],
): Markup {
  const incomplete = byClass.filter(({ support, decided }) => support === 0 || decided === 0);
  const rows: Content[][] = byClass.map((m, code) => [
    name(labels[code] ?? "", 32),
    formatCount(m.support),
    ...measuresOf(m),
  ]);
  const support = sumOf(byClass.map((m) => m.support));
  const means = tip("Mean", "Of the classes where it is defined, each counting alike");
  rows.push([means, formatCount(support), ...measuresOf(macroAverages)]);
  return html`${figureTable(
    `Measures by class, version ${version}`,
    ["Class", "Rows", "Precision", "Recall", "F1"],
    rows,
    "tall",
  )}${incomplete.length === 0 ? null : html`<p class="note">${whyUndefined(incomplete)}</p>`}`;
}

function whyUndefined(measures: readonly MetricsOfClass[]): string {
  const undecided = measures.filter(({ decided }) => decided === 0).length;
  const absent = measures.filter(({ support }) => support === 0).length;
  const reasons = [
    ...(undecided > 0 ? [`nothing was decided as ${undecided === 1 ? "one class" : `${undecided} classes`}`] : []),
    ...(absent > 0 ? [`the holdout holds no row of ${absent === 1 ? "one class" : `${absent} classes`}`] : []),
  ];
  return `– is undefined: ${reasons.join(", and ")}.`;
}

function measure(value: number | null, reason: string): Content {
  return figureOr(reason, value, formatPercent);
}
