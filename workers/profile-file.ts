// The first pass over a table on disk: its profile, its hash, its size.
import { statSync } from "node:fs";
import type { TableProfile } from "../engine/columns/profile.ts";
import { TableProfiler } from "../engine/columns/profiler.ts";
import { readCsv } from "../engine/csv/read.ts";
import type { CsvReport } from "../engine/csv/shapes.ts";
import type { StopSignal } from "../engine/stop-signal.ts";
import { fileChunks } from "./file-chunks.ts";
import type { ReadTableRequest } from "./messages.ts";

export interface ProfiledFile {
  profile: TableProfile;
  report: CsvReport;
  sha256: string;
  sizeBytes: number;
}

/** Throws InputError where the file cannot be read as a table or has no such label column. */
export function profileFile(request: ReadTableRequest, stop: StopSignal): ProfiledFile {
  let hash = new Bun.CryptoHasher("sha256");
  let profiler: TableProfiler | null = null;
  const report = readCsv(
    () => {
      hash = new Bun.CryptoHasher("sha256");
      return hashed(fileChunks(request.path, stop), hash);
    },
    ({ names, delimiter }) => {
      const { label, missingMarkers } = request;
      const fresh = new TableProfiler(names, {
        delimiter,
        label,
        ...(missingMarkers === null ? {} : { missingMarkers }),
      });
      profiler = fresh;
      return (batch) => fresh.add(batch);
    },
  );
  const profile = (profiler as TableProfiler | null)!.finish();
  return { profile, report, sha256: hash.digest("hex"), sizeBytes: statSync(request.path).size };
}

function* hashed(chunks: Iterable<Uint8Array>, hash: Bun.CryptoHasher): Generator<Uint8Array> {
  for (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
