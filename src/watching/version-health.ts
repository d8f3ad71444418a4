// A version of a model over the last months: its counted days beside its training rows.
import { statSync } from "node:fs";
import { setImmediate as otherRequests } from "node:timers/promises";
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { dayOf, listWatchDays, type VersionId } from "../../data/watch-counts.ts";
import { type ReadAt, readChecksum } from "../../engine/arrays/array-file.ts";
import { readWatchedModel, type WatchedModel } from "../../engine/model/model-file.ts";
import {
  type Health,
  healthFrom,
  healthOf,
  judgeStretch,
  type StretchReport,
  stretchesOf,
} from "../../engine/outcomes/health.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";
import { RecentMap } from "../common/recent-map.ts";

export interface VersionHealth extends Health {
  model: WatchedModel;
}

/** The first day of the last `months` calendar months, this month among them. */
export function firstDay(now: Date, months: number): string {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - months, 1)));
}

/** The months are this one and the `months - 1` before it. */
type Watched = [
  { database: Database; state: Pick<StateFolder, "locate"> },
  version: VersionId & { filePath: string; createdOn: string },
  now: Date,
  months: number,
];

/** A stretch is compared with the same days of the week before. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Columns told of each stretch, the worst. */
export const COLUMNS_TOLD = 10;
/** Some 6 kB each; two versions that are used every day have 800 in 13 months. */
const MOST_JUDGED_KEPT = 2_000;

/** Stretches that are over do not change: each is judged once, until others take its place. */
const judgedStretches = new RecentMap<string, StretchReport>(MOST_JUDGED_KEPT);

/**
 * With the worst columns of each stretch. Serves other requests after each stretch that it judges: 400
 * days of 1,000 columns take a second and more the first time.
 *
 * @throws InputError where there is no model at the path
 */
export async function versionHealth(...watched: Watched): Promise<VersionHealth> {
  const { model, days, today, since, first, content } = readWatched(...watched);
  const [, { modelKey, version }] = watched;
  const stretches: StretchReport[] = [];
  for (const stretch of stretchesOf(days, today, since, first)) {
    const { from, to, isOver, around } = stretch;
    // Rows of the last seconds of a day may be added after it, and a threshold makes the file another one.
    const rows = around.map(({ counts: { rowCount, countedRows } }) => `${rowCount} ${countedRows}`);
    const key = [modelKey, version, content, from, to, ...rows].join(" ");
    let report = isOver ? judgedStretches.get(key) : undefined;
    if (report === undefined) {
      const whole = judgeStretch(model, stretch);
      report = { ...whole, columns: whole.columns?.slice(0, COLUMNS_TOLD) ?? null };
      if (isOver) judgedStretches.set(key, report);
      await otherRequests();
    }
    stretches.push(report);
  }
  return { ...healthFrom(model, stretches), model };
}

/**
 * As `versionHealth`, from the newest stretch on that can be judged, with all columns. Blocks.
 *
 * @throws InputError where there is no model at the path
 */
export function latestHealth(...watched: Watched): VersionHealth {
  const { model, days, today, since, first } = readWatched(...watched);
  return { ...healthOf(model, days, today, { since, first, isLatestOnly: true }), model };
}

function readWatched(...[{ database, state }, version, now, months]: Watched) {
  const path = state.locate(version.filePath);
  const { size } = statSync(path);
  const read = (readAt: ReadAt) => ({ model: readWatchedModel(readAt), content: readChecksum(readAt, size) });
  const first = firstDay(now, months);
  const days = listWatchDays(database, version, dayOf(new Date(Date.parse(first) - WEEK_MS)));
  return { ...withParts(path, read), days, today: dayOf(now), since: version.createdOn.slice(0, 10), first };
}
