// Counts labels that came later beside what was predicted: one pass over the file of labels, one over the result.
import type { CsvHeader, RecordSink } from "../engine/csv/types.ts";
import { readWatchedModel } from "../engine/model/model-file.ts";
import { type OutcomeColumns, type OutcomeCounts, OutcomeLabels, OutcomeMatch } from "../engine/outcomes/outcomes.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { withParts } from "./reading/file-chunks.ts";
import { readTextCsv } from "./reading/hashed-csv.ts";

export interface CountOutcomesRequest extends OutcomeColumns {
  modelPath: string;
  labelsPath: string;
  /** False where the first record of the file of labels is data; by keys it must have a header. */
  hasHeader: boolean;
  /** The result file of predict, with its header. */
  resultPath: string;
}

/** Holds two bytes for each row, and the keys where rows are matched by these. @throws InputError */
export function countOutcomes(request: CountOutcomesRequest, stop: StopSignal): OutcomeCounts {
  const { modelPath, labelsPath, hasHeader, resultPath } = request;
  const model = withParts(modelPath, readWatchedModel);
  const labels = new OutcomeLabels(model, request);
  readRecords(labelsPath, hasHeader, labels, stop);
  const match = new OutcomeMatch(model, labels, request);
  readRecords(resultPath, true, match, stop);
  return match.end();
}

interface RecordTaker {
  begin(header: CsvHeader): void;
  add: RecordSink;
}

function readRecords(path: string, hasHeader: boolean, taker: RecordTaker, stop: StopSignal): void {
  readTextCsv({ path, hasHeader }, stop, (header) => {
    taker.begin(header);
    return (batch) => taker.add(batch);
  });
}
