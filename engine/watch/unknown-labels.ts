// Labels that a model does not know, in words: most often they are written otherwise than in the training file.
import { listNames, quotedName } from "../csv/header.ts";
import type { ModelFile } from "../model/model-file.ts";
import type { Warning } from "../warning.ts";

type ModelLabels = Pick<ModelFile, "label" | "labels">;

/** Labels that the model does not know; `text`: the first, as it is written. */
interface UnknownLabels {
  count: number;
  text: string;
}

/** `rowCount`: rows with a label. */
export function unknownLabelWords({ count, text }: UnknownLabels, rowCount: number, { labels }: ModelLabels): string {
  const none = count === rowCount ? "the model knows none" : `the model does not know ${count}`;
  return (
    `Of ${rowCount} ${rowCount === 1 ? "label" : "labels"} ${none}: they are written like ${quotedName(text)}, ` +
    `and it knows ${listNames(labels, 10)}.`
  );
}

/** `knownCount`: rows whose label the model knows; these are judged. */
export function unknownLabelWarnings(unknown: UnknownLabels, knownCount: number, model: ModelLabels): Warning[] {
  const { count } = unknown;
  if (count === 0) return [];
  const judged = knownCount === 0 ? " No row is judged by its label." : "";
  const words = unknownLabelWords(unknown, count + knownCount, model);
  const message = `${words}${judged} Write labels as the training file does.`;
  return [{ code: "UNKNOWN_LABELS", message, column: model.label, count }];
}
