// The file that `cupel predict --watch` adds its counts to, day by day, and `cupel watch --labels` what labels said
// later: plain JSON, of one model, and no row in it.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "../../data/files/file-store.ts";
import { InputError } from "../../engine/input-error.ts";
import { readWatchedModel } from "../../engine/model/model-file.ts";
import type { DayCounts } from "../../engine/outcomes/health.ts";
import { isOutcomeCounts } from "../../engine/outcomes/outcomes.ts";
import {
  addCounts,
  areAlike,
  isScoredCounts,
  keptCounts,
  type ScoredCounts,
} from "../../engine/watch/scored-counts.ts";
import { readWhole, withParts } from "../../workers/reading/file-chunks.ts";
import type { DayOutcomes } from "./version-outcomes.ts";

const FORMAT = "cupel watch counts";
const NEWEST_VERSION = 1;
/** As many as the service keeps. */
const MOST_DAYS = 400;

/** Which model was counted. */
export interface CountedModelId {
  /** SHA-256 of the model's file, in hexadecimal digits. */
  sha256: string;
  /** For people: what it predicts, and which version of its run it is. */
  label: string;
  version: number;
}

interface CountsFile {
  format: typeof FORMAT;
  version: number;
  model: CountedModelId;
  days: DayCounts[];
  /** Left out where no labels came. */
  outcomes?: FileOutcomes[];
}

/** Labels that came later for one predicted file. */
export interface FileOutcomes extends DayOutcomes {
  /** SHA-256 of the predicted file, so that it counts once. */
  predicted: string;
}

interface CountsOfModel {
  days: DayCounts[];
  /** In the order in which they came. */
  outcomes: FileOutcomes[];
}

/** Which model a file holds. @throws InputError where there is no model at the path */
export function countedModel(modelPath: string): CountedModelId {
  const { label, lineage } = withParts(modelPath, readWatchedModel);
  return { sha256: hashOf(modelPath), label, version: lineage.version };
}

/** SHA-256 of a file. @throws InputError where there is none */
export function hashOf(path: string): string {
  return createHash("sha256").update(readWhole(path)).digest("hex");
}

/**
 * Days that the file has, oldest first, and labels that came later; none where there is no file.
 *
 * @throws InputError NO_COUNTS where it is something else, COUNTS_TOO_NEW,
 * and OTHER_MODEL where it counts another model
 */
export function readCountsFile(path: string, model: CountedModelId): CountsOfModel {
  if (!existsSync(path)) return { days: [], outcomes: [] };
  const file = parsed(readFileSync(path, "utf8"));
  if (file?.format !== FORMAT) {
    throw new InputError("NO_COUNTS", `${path} is no file of counts, as --watch writes them. Name another file.`);
  }
  if (Number.isInteger(file.version) && file.version > NEWEST_VERSION) {
    throw new InputError("COUNTS_TOO_NEW", `${path} was written by a newer version of this program. Use that version.`);
  }
  if (!isSound(file)) throw new InputError("NO_COUNTS", `${path} is a damaged file of counts. Name another file.`);
  if (file.model.sha256 !== model.sha256) {
    const { label, version } = file.model;
    throw new InputError(
      "OTHER_MODEL",
      `${path} counts another model, version ${version} of one that predicts "${label}". ` +
        "Name another file for this one.",
    );
  }
  return { days: file.days, outcomes: file.outcomes ?? [] };
}

/**
 * Adds counts to those of a day; the file is the old one or the new one. One
 * command at a time: of two that add at once, one may win.
 *
 * @throws InputError as `readCountsFile`
 */
export async function addToCountsFile(
  path: string,
  model: CountedModelId,
  counts: ScoredCounts,
  day: string,
): Promise<void> {
  if (counts.rowCount === 0) return;
  const { days, outcomes } = readCountsFile(path, model);
  const kept = keptCounts(counts);
  const known = days.find((one) => one.day === day);
  if (known === undefined) days.push({ day, counts: kept });
  else if (areAlike(known.counts, kept)) addCounts(known.counts, kept);
  else known.counts = kept;
  const newest = days.toSorted((a, b) => (a.day < b.day ? -1 : 1)).slice(-MOST_DAYS);
  await writeCounts(path, model, { days: newest, outcomes });
}

/**
 * Adds what labels said of a predicted file, in the place of what earlier
 * ones said of it. Returns all that is there now.
 *
 * @throws InputError as `readCountsFile`
 */
export async function addOutcomesToFile(
  path: string,
  model: CountedModelId,
  added: FileOutcomes,
): Promise<FileOutcomes[]> {
  const { days, outcomes } = readCountsFile(path, model);
  const others = outcomes.filter(({ predicted }) => predicted !== added.predicted);
  const all = [...others, added].sort((a, b) => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1));
  await writeCounts(path, model, { days, outcomes: all });
  return all;
}

async function writeCounts(path: string, model: CountedModelId, { days, outcomes }: CountsOfModel): Promise<void> {
  const labelled = outcomes.length === 0 ? {} : { outcomes };
  const file: CountsFile = { format: FORMAT, version: NEWEST_VERSION, model, days, ...labelled };
  await writeWhole(path, `${JSON.stringify(file)}\n`);
}

function parsed(text: string): CountsFile | null {
  try {
    return JSON.parse(text) as CountsFile | null;
  } catch {
    return null;
  }
}

function isSound({ version, model, days, outcomes = [] }: CountsFile): boolean {
  return (
    Number.isInteger(version) &&
    /^[0-9a-f]{64}$/.test(model?.sha256) &&
    typeof model.label === "string" &&
    Number.isInteger(model.version) &&
    Array.isArray(days) &&
    Array.isArray(outcomes) &&
    outcomes.every(
      (one) =>
        /^\d{4}-\d{2}-\d{2}$/.test(one?.day) &&
        isOutcomeCounts(one.counts) &&
        one.counts.confusion.length === outcomes[0]!.counts.confusion.length,
    ) &&
    days.every((one) => /^\d{4}-\d{2}-\d{2}$/.test(one?.day) && isScoredCounts(one.counts)) &&
    days.every(({ day, counts }, at) => at === 0 || (days[at - 1]!.day < day && hasLabelsOf(days[0]!.counts, counts)))
  );
}

function hasLabelsOf({ decisions }: ScoredCounts, other: ScoredCounts): boolean {
  return other.decisions.length === decisions.length;
}
