// The labelled rows that a successor may use: those of the champion's
// predictions that the champion has not learned from (D128).
import type { Database } from "../../../data/database/database.ts";
import type { SuccessorSource } from "../../../data/database/records.ts";
import type { ModelLine } from "../../../data/model-lines.ts";
import { type LabelledPrediction, listLabelledPredictions } from "../../../data/outcomes.ts";
import { successorOfModel } from "../../../data/successors.ts";
import { judgedCount } from "../../../engine/outcomes/outcomes.ts";
import { FEWEST_LABELLED, tooFewLabels } from "../../../engine/successor/kept-rows.ts";
import { sumOf } from "../../../engine/sums.ts";
import { ApiError, type FieldError, wrongField } from "../../http/problem.ts";

const MOST_PREDICTIONS = 1_000;

interface ChosenSources {
  sources: SuccessorSource[];
  inputBytes: number;
}

/**
 * `namedKeys`: keys of predictions of the line; null for the champion's own, and for rows that were kept aside when it
 * was compared.
 *
 * @throws ApiError VALIDATION_FAILED, LABELS_UNFIT
 */
export function chooseSources(
  database: Database,
  userKey: string,
  { line, championKey }: { line: ModelLine; championKey: string },
  namedKeys: readonly string[] | null,
): ChosenSources {
  const learnedRows = learnedBy(database, championKey);
  const labelled = listLabelledPredictions(
    database,
    userKey,
    line.models.map(({ key }) => key),
  );
  const isNew = ({ predictionKey }: LabelledPrediction) => learnedRows.get(predictionKey) !== null;
  const isOwn = ({ modelKey, predictionKey }: LabelledPrediction) =>
    modelKey === championKey || learnedRows.has(predictionKey);
  const chosenPredictions =
    namedKeys === null ? labelled.filter((row) => isNew(row) && isOwn(row)) : namedOnes(namedKeys, labelled, isNew);
  if (chosenPredictions.length > MOST_PREDICTIONS) {
    throw unfit("TOO_MANY_PREDICTIONS", `At most ${MOST_PREDICTIONS} predictions can be joined; name those to use.`);
  }
  requireLabels(chosenPredictions, learnedRows);
  const sources = chosenPredictions.map(
    ({ predictionKey, fileName }): SuccessorSource => ({
      ...{ predictionKey, fileName, fromRow: learnedRows.get(predictionKey) ?? 0 },
      ...{ learnedRows: null, keptRows: null, keptFromRow: null, sameAs: null },
    }),
  );
  return { sources, inputBytes: chosenPredictions.reduce((sum, { inputBytes }) => sum + inputBytes, 0) };
}

/**
 * For each prediction that a model, or one before it, learned from: the first row
 * that it did not learn from; null where it did from all.
 */
function learnedBy(database: Database, modelKey: string): ReadonlyMap<string, number | null> {
  const learnedRows = new Map<string, number | null>();
  for (let successor = successorOfModel(database, modelKey); successor !== null; ) {
    for (const { predictionKey, keptFromRow } of successor.sources) {
      // The newest model is right: it learned from rows that an earlier one kept aside.
      if (!learnedRows.has(predictionKey)) learnedRows.set(predictionKey, keptFromRow);
    }
    successor = successorOfModel(database, successor.championKey);
  }
  return learnedRows;
}

function namedOnes(
  namedKeys: readonly string[],
  labelled: readonly LabelledPrediction[],
  isNew: (row: LabelledPrediction) => boolean,
): LabelledPrediction[] {
  const known = new Map(labelled.map((row) => [row.predictionKey, row]));
  const errors = namedKeys.flatMap((key, at): FieldError[] => {
    const field = `predictions.${at}`;
    const row = known.get(key);
    if (row === undefined) {
      const message = "It is none of your predictions by a model of this line whose rows and labels are still kept.";
      return [{ field, code: "NOT_LABELLED", message }];
    }
    if (isNew(row)) return [];
    return [{ field, code: "LEARNED_BEFORE", message: "The champion has learned from all of its rows already." }];
  });
  if (errors.length > 0) throw new ApiError("VALIDATION_FAILED", errors[0]!.message, { errors });
  const wanted = new Set(namedKeys);
  return labelled.filter(({ predictionKey }) => wanted.has(predictionKey));
}

/** By what was counted when the labels came; the rows themselves are looked at later. */
function requireLabels(
  chosenPredictions: readonly LabelledPrediction[],
  learnedRows: ReadonlyMap<string, number | null>,
): void {
  const unknown = chosenPredictions.filter(({ counts }) => counts.unknownLabels > 0);
  if (unknown.length > 0) {
    const count = unknown.reduce((sum, { counts }) => sum + counts.unknownLabels, 0);
    const message =
      `${count} rows have a label that the champion does not know. ` +
      "Correct these labels, or name the predictions to use without theirs; a new label needs a new dataset.";
    const errors = unknown.map(({ predictionKey, counts }) => ({
      ...{ field: "predictions", code: "UNKNOWN_LABEL" },
      message: `Prediction ${predictionKey}: ${counts.unknownLabels} rows.`,
    }));
    throw new ApiError("LABELS_UNFIT", message, { errors });
  }
  const labelled = chosenPredictions.reduce((sum, { counts }) => sum + judgedCount(counts), 0);
  if (labelled < FEWEST_LABELLED) throw unfit("TOO_FEW_LABELS", tooFewLabels(labelled).message);
  if (hasOneLabel(chosenPredictions, learnedRows)) {
    throw unfit(
      "ONE_LABEL",
      "All labelled rows have the same label, so nothing can be compared by them. Send others too.",
    );
  }
}

/**
 * Whether the counts show that all rows have one label; false if only the rows
 * can tell, as when some were learned from before.
 */
function hasOneLabel(chosen: readonly LabelledPrediction[], learned: ReadonlyMap<string, number | null>): boolean {
  const [first] = chosen;
  if (chosen.some(({ modelKey, predictionKey }) => modelKey !== first!.modelKey || learned.has(predictionKey)))
    return false;
  const rowsOf = (label: number) => sumOf(chosen.flatMap(({ counts }) => counts.confusion[label]!));
  return [...first!.counts.confusion.keys()].filter((label) => rowsOf(label) > 0).length < 2;
}

function unfit(code: string, message: string): ApiError {
  return wrongField("predictions", code, message, "LABELS_UNFIT");
}
