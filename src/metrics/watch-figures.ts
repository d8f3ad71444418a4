// The figures of watched models: of the versions used last alone, so that their number is bounded.
import type { Database } from "../../data/database/database.ts";
import { recentlyUsedVersions, type WatchedVersion } from "../../data/watch-counts.ts";
import { counter, type Family, gauge } from "./exposition.ts";

const MOST_VERSIONS = 50;

/** Keys are ours and no text of a user's. Costs one look at an index. */
export function watchFigures(database: Database): Family[] {
  const versions = recentlyUsedVersions(database, MOST_VERSIONS);
  const labelsOf = ({ modelKey, version }: WatchedVersion) => ({ model: modelKey, version: String(version) });
  const figureOf = (figure: "worstIndex" | "meanConfidence" | "expectedAccuracy" | "realAccuracy") =>
    versions.flatMap((one) => {
      const value = one.figures?.[figure] ?? null;
      return value === null ? [] : [{ labels: labelsOf(one), value }];
    });
  return [
    counter(
      "cupel_model_rows_total",
      "Rows that a version of a model has scored and that were counted; " +
        `of the ${MOST_VERSIONS} versions used last, as are the figures below.`,
      versions.map((one) => ({ labels: labelsOf(one), value: one.rowCount })),
    ),
    gauge(
      "cupel_model_state",
      "1 for the state of a version: WORSE_THAN_PROMISED or NO_PROMISE by labels that came later, " +
        "or beside its training rows STEADY, SHIFTED, TOO_FEW_ROWS or NOT_WATCHED.",
      versions.flatMap((one) =>
        one.state === null ? [] : [{ labels: { ...labelsOf(one), state: one.state }, value: 1 }],
      ),
    ),
    gauge(
      "cupel_model_worst_index",
      "Largest population stability index, less chance, of a column or the decisions " +
        "in the newest stretch of days that is over.",
      figureOf("worstIndex"),
    ),
    gauge("cupel_model_mean_confidence", "Mean confidence there.", figureOf("meanConfidence")),
    gauge(
      "cupel_model_expected_accuracy",
      "Accuracy to expect there if the relation of the columns to the label has not changed.",
      figureOf("expectedAccuracy"),
    ),
    gauge(
      "cupel_model_real_accuracy",
      "Share of right decisions by all labels that came later.",
      figureOf("realAccuracy"),
    ),
  ];
}
