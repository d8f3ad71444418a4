// Which columns hold measured numbers, not codes.
import type { Feature, NumberFeature } from "../table/table.ts";

/** Numbers with fewer levels may be codes, each of which may honestly go with a label of its own. */
const LEAST_LEVELS = 30;

export function isMeasured(feature: Feature): feature is NumberFeature {
  return feature.kind === "number" && feature.part === null && feature.values.length >= LEAST_LEVELS;
}
