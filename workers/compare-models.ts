// Has two models decide the same labelled rows, and counts what each decided.
import { missingMarkerSet, missingTextsOf } from "../engine/columns/reading.ts";
import type { RecordSink } from "../engine/csv/types.ts";
import { type ModelFile, unpackModel } from "../engine/model/model-file.ts";
import { Scorer } from "../engine/scoring/scorer.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import type { PairedDecisions } from "../engine/successor/paired-decisions.ts";
import type { Differing } from "../engine/successor/paired-objective.ts";
import { readWhole } from "./reading/file-chunks.ts";
import { readTextCsv } from "./reading/hashed-csv.ts";

export interface CompareModelsRequest {
  /** Labelled rows that were kept aside, written as the training files are. */
  rowsPath: string;
  label: string;
  /** The champion's dataset; null where it is gone. */
  trained: { path: string; hasHeader: boolean } | null;
  championPath: string;
  challengerPath: string;
  /** Whether to count the rows that the models decide differently, by label and decisions. */
  countsDiffering: boolean;
}

/** @throws InputError for the files */
export function compareModels(request: CompareModelsRequest, stop: StopSignal): PairedDecisions {
  const champion = unpackModel(readWhole(request.championPath));
  const challenger = unpackModel(readWhole(request.challengerPath));
  const labels = [...new Set([...champion.labels, ...challenger.labels])].map((label) => label.trim());
  const emptyCounts = () => labels.map(() => labels.map(() => 0));
  const counts = { labels, champion: emptyCounts(), challenger: emptyCounts(), championAlone: 0, challengerAlone: 0 };
  const placeOf = new Map(labels.map((label, at) => [label, at]));
  const placesOf = ({ labels: names }: ModelFile) => names.map((label) => placeOf.get(label.trim())!);
  const places = { champion: placesOf(champion), challenger: placesOf(challenger) };
  const keptRows = new Map<RowHash, number>();
  const differing = new Map<number, number>();
  const start = (names: readonly string[]): RecordSink => {
    const labelAt = names.indexOf(request.label);
    const hashOf = rowHasher(champion, names, request.label);
    const [first, second] = [new Scorer(champion, names), new Scorer(challenger, names)];
    return ({ records }) => {
      const [ones, others] = [first.score(records).decisions, second.score(records).decisions];
      for (const [row, record] of records.entries()) {
        const hash = hashOf(record);
        keptRows.set(hash, (keptRows.get(hash) ?? 0) + 1);
        const actual = placeOf.get(record[labelAt]!.trim())!;
        const [one, other] = [places.champion[ones[row]!]!, places.challenger[others[row]!]!];
        counts.champion[actual]![one]!++;
        counts.challenger[actual]![other]!++;
        if (one === actual && other !== actual) counts.championAlone++;
        if (one !== actual && other === actual) counts.challengerAlone++;
        const pair = (actual * labels.length + one) * labels.length + other;
        if (one !== other) differing.set(pair, (differing.get(pair) ?? 0) + 1);
      }
    };
  };
  readTextCsv({ path: request.rowsPath, hasHeader: true }, stop, ({ names }) => start(names));
  const { trained, countsDiffering } = request;
  return {
    ...counts,
    ...(countsDiffering && { differing: listDiffering(differing, labels.length) }),
    seenRows: trained === null ? null : countSeen(keptRows, { ...request, ...trained, champion }, stop),
  };
}

function listDiffering(counts: ReadonlyMap<number, number>, labelCount: number): Differing[] {
  return [...counts].map(([pair, count]) => {
    const decisions = Math.floor(pair / labelCount);
    return [Math.floor(decisions / labelCount), decisions % labelCount, pair % labelCount, count];
  });
}

type RowHash = number | bigint;

/** Reads the champion's dataset, and counts the kept rows that stand there. */
function countSeen(
  keptRows: ReadonlyMap<RowHash, number>,
  { path, hasHeader, champion, label }: { path: string; hasHeader: boolean; champion: ModelFile; label: string },
  stop: StopSignal,
): number {
  const seenRows = new Set<RowHash>();
  readTextCsv({ path, hasHeader }, stop, ({ names }) => {
    const hashOf = rowHasher(champion, names, label);
    return ({ records }) => {
      for (const record of records) {
        const hash = hashOf(record);
        if (keptRows.has(hash)) seenRows.add(hash);
      }
    };
  });
  return [...seenRows].reduce<number>((sum, hash) => sum + keptRows.get(hash)!, 0);
}

/** 64 bits for the label and the cells of the model's columns; cells without a value are alike. */
function rowHasher(
  { columns, missingMarkers }: Pick<ModelFile, "columns" | "missingMarkers">,
  names: readonly string[],
  label: string,
): (record: readonly string[]) => RowHash {
  const markers = missingMarkerSet(missingMarkers);
  const cells = columns.map(({ name, reading }) => ({
    at: names.indexOf(name),
    missing: missingTextsOf(reading, markers),
  }));
  const labelAt = names.indexOf(label);
  return (record) => {
    const texts = cells.map(({ at, missing }) => {
      const text = record[at]!.trim();
      return missing.has(text) ? "" : text;
    });
    return Bun.hash(JSON.stringify([record[labelAt]!.trim(), ...texts]));
  };
}
