// A version of a model over the last months: its counted days beside its training rows.
import { setImmediate as otherRequests } from "node:timers/promises";
import type { Database } from "../../data/database/database.ts";
import type { StateFolder } from "../../data/files/state-folder.ts";
import { dayOf, listWatchDays, type VersionId } from "../../data/watch-counts.ts";
import { readWatchedModel, type WatchedModel } from "../../engine/model/model-file.ts";
import { type Health, healthFrom, healthOf, judgedStretches, type StretchReport } from "../../engine/watch/health.ts";
import { withParts } from "../../workers/reading/file-chunks.ts";

export interface VersionHealth extends Health {
  labels: readonly string[];
  heldOut: WatchedModel["heldOut"] | null;
}

/** The first day of so many calendar months, this one among them. */
export function firstDay(now: Date, months: number): string {
  return dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - months, 1)));
}

/** The months are this one and the `months - 1` before it. */
type Watched = [
  { database: Database; state: Pick<StateFolder, "locate"> },
  version: VersionId & { filePath: string },
  now: Date,
  months: number,
];

/**
 * Serves other requests after each stretch: 400 days of 1,000 columns take some two seconds.
 *
 * @throws InputError where there is no model at the path
 */
export async function versionHealth(...watched: Watched): Promise<VersionHealth> {
  const { model, days, today } = readWatched(...watched);
  const stretches: StretchReport[] = [];
  for (const stretch of judgedStretches(model, days, today)) {
    stretches.push(stretch);
    await otherRequests();
  }
  return { ...healthFrom(model, stretches), labels: model.labels, heldOut: model.heldOut ?? null };
}

/**
 * As `versionHealth`, from the newest stretch on that can be judged. Blocks.
 *
 * @throws InputError where there is no model at the path
 */
export function latestHealth(...watched: Watched): VersionHealth {
  const { model, days, today } = readWatched(...watched);
  return { ...healthOf(model, days, today, true), labels: model.labels, heldOut: model.heldOut ?? null };
}

function readWatched(...[{ database, state }, version, now, months]: Watched) {
  const model = withParts(state.locate(version.filePath), readWatchedModel);
  return { model, days: listWatchDays(database, version, firstDay(now, months)), today: dayOf(now) };
}
