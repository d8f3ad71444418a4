// Has two models decide the same labelled rows, and counts what each decided.
import { readCsv } from "../engine/csv/read.ts";
import type { RecordSink } from "../engine/csv/types.ts";
import { type ModelFile, unpackModel } from "../engine/model/model-file.ts";
import { Scorer } from "../engine/scoring/scorer.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { PairedDecisions } from "../engine/successor/paired-decisions.ts";
import { fileChunks, readWhole } from "./reading/file-chunks.ts";

export interface CompareModelsRequest {
  /** Labelled rows that neither learned from, written as the training files are. */
  rowsPath: string;
  label: string;
  championPath: string;
  challengerPath: string;
}

/** @throws InputError for the files */
export function compareModels(request: CompareModelsRequest, stop: StopSignal): PairedDecisions {
  const champion = unpackModel(readWhole(request.championPath));
  const challenger = unpackModel(readWhole(request.challengerPath));
  const labels = [...new Set([...champion.labels, ...challenger.labels])].map((label) => label.trim());
  const none = () => labels.map(() => labels.map(() => 0));
  const counts = { labels, champion: none(), challenger: none(), championAlone: 0, challengerAlone: 0 };
  const placeOf = new Map(labels.map((label, at) => [label, at]));
  const placesOf = ({ labels: own }: ModelFile) => own.map((label) => placeOf.get(label.trim())!);
  const places = { champion: placesOf(champion), challenger: placesOf(challenger) };
  const start = (names: readonly string[]): RecordSink => {
    const labelAt = names.indexOf(request.label);
    const [first, second] = [new Scorer(champion, names), new Scorer(challenger, names)];
    return ({ records }) => {
      const [ones, others] = [first.score(records).decisions, second.score(records).decisions];
      for (const [row, record] of records.entries()) {
        const actual = placeOf.get(record[labelAt]!.trim())!;
        const [one, other] = [places.champion[ones[row]!]!, places.challenger[others[row]!]!];
        counts.champion[actual]![one]!++;
        counts.challenger[actual]![other]!++;
        if (one === actual && other !== actual) counts.championAlone++;
        if (one !== actual && other === actual) counts.challengerAlone++;
      }
    };
  };
  readCsv(
    (taker) => fileChunks(request.rowsPath, stop, taker, true),
    ({ names }) => start(names),
  );
  return counts;
}
