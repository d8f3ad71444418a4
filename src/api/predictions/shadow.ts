// The shadow of a model (D130): it decides the rows of a request beside the one that answers, and is counted.
import { findOwnedChampion } from "../../../data/models.ts";
import type { ShadowId } from "../../../data/shadow-counts.ts";
import type { VersionId } from "../../../data/watch-counts.ts";
import type { LargeBodyAnswer } from "../../../workers/scoring/large-body.ts";
import type { RowsBody } from "../../../workers/scoring/rows-body.ts";
import { scoreBeside } from "../../../workers/scoring/shadow-rows.ts";
import type { Services } from "../services.ts";

interface Shadow {
  id: ShadowId;
  version: VersionId;
  path: string;
}

/** Null if none is set, nothing is counted, or the shadow itself answers. */
export function shadowOf(
  { database, state, rowCounts }: Services,
  userKey: string,
  { modelKey, version }: VersionId,
  shadowKey: string | null,
): Shadow | null {
  if (shadowKey === null || shadowKey === modelKey || rowCounts === null) return null;
  const champion = findOwnedChampion(database, userKey, shadowKey);
  if (champion === null) return null;
  return {
    id: { modelKey, version, shadowKey, shadowVersion: champion.version },
    version: { modelKey: shadowKey, version: champion.version },
    path: state.locate(champion.filePath),
  };
}

/** `scores`: of the model that answers. */
export function decideBeside(
  { modelCache, rowCounts }: Services,
  { id, version, path }: Shadow,
  body: RowsBody,
  scores: readonly { label: string }[],
): void {
  const labels = scores.map(({ label }) => label);
  const answer = scoreBeside(modelCache, body, path, labels, (counts) => rowCounts?.follow(version, counts));
  rowCounts?.addShadow(id, answer);
}

/** For a body that was scored on a thread. */
export function countBeside(
  { rowCounts }: Services,
  { id, version }: Shadow,
  shadow: Extract<LargeBodyAnswer, { bytes: unknown }>["shadow"],
): void {
  if (shadow === null) return;
  rowCounts?.addShadow(id, shadow.answer);
  if (shadow.counts !== null) rowCounts?.add(version, shadow.counts);
}
