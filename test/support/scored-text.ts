// The text of a CSV file, scored as such a file is: in two passes, to a result that is kept whole.
import type { ModelFile } from "../../engine/model/model-file.ts";
import type { ResultOptions } from "../../engine/scoring/result-csv.ts";
import { type ScoredCsv, scoreCsv } from "../../engine/scoring/score-csv.ts";

/** `text`: the result. A comma is taken for its delimiter in `cells`, and no cell for a quoted one. */
export interface ScoredText extends ScoredCsv {
  text: string;
  cells: string[][];
}

export function scoreText(model: ModelFile, input: string, options: Partial<ResultOptions> = {}): ScoredText {
  const parts: string[] = [];
  const scored = scoreCsv(
    model,
    () => [Buffer.from(input)],
    { likeInput: false, spreadsheetSafe: false, ...options },
    (bytes) => parts.push(Buffer.from(bytes).toString()),
  );
  const text = parts.join("");
  const lines = text.trimEnd().split("\n");
  return { ...scored, text, cells: lines.map((line) => line.split(",")) };
}
