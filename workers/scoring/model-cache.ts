// A cache of models by path, unpacked and laid out to score rows one by one.
import { statSync } from "node:fs";
import { formOf, layOutModel } from "../../engine/families/algorithms.ts";
import { InputError } from "../../engine/input-error.ts";
import { type ModelFile, unpackModel } from "../../engine/model/model-file.ts";
import { Scorer } from "../../engine/scoring/scorer.ts";
import { readWhole } from "../reading/file-chunks.ts";

/** Limit of all cached models together: their files and the layouts for single rows. */
const MOST_BYTES = 256 << 20;
/** The cache is emptied when no model was asked for in this time. */
const IDLE_MS = 600_000;
/** Reasons of each row that the API gives, at most. */
export const MOST_REASONS = 10;
/**
 * Nodes × classes of a model's trees that are explained at once: their shares take 64 MiB, which no job's need counts.
 */
const MOST_EXPLAINED_CELLS = 2 ** 24;

export interface ReadyModel {
  file: ModelFile;
  /**
   * Takes records with the model's columns in the model's order. Shared, with counts: finish using it before you await.
   */
  scorer: Scorer;
  /** The same with reasons, made when it is first asked for. @throws InputError REASONS_TOO_LARGE */
  explaining(): Scorer;
}

interface Entry extends ReadyModel {
  sizeBytes: number;
  /** Tells the file that was read from one that took its place. */
  stamp: string;
}

/**
 * A file that was replaced is read again. The least recently used models are
 * dropped, but the one just asked for always stays.
 */
export class ModelCache {
  private readonly mostBytes: number;
  private readonly idleMs: number;
  private readonly countsRows: boolean;
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** Least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private totalBytes = 0;

  /** `countsRows`: whether its scorers count what they score (D120). */
  constructor({ mostBytes = MOST_BYTES, idleMs = IDLE_MS, countsRows = false } = {}) {
    this.mostBytes = mostBytes;
    this.countsRows = countsRows;
    this.idleMs = idleMs;
  }

  /** Blocks while it reads a model that is not cached. @throws InputError where there is none at the path */
  open(path: string): ReadyModel {
    this.letGoLater();
    const stamp = stampOf(path);
    const known = this.entries.get(path);
    this.drop(path);
    const entry = known?.stamp === stamp ? known : read(path, stamp, this.countsRows);
    this.entries.set(path, entry);
    this.totalBytes += entry.sizeBytes;
    for (const oldest of this.entries.keys()) {
      if (this.totalBytes <= this.mostBytes || oldest === path) break;
      this.drop(oldest);
    }
    return entry;
  }

  /** Cached paths, least recently used first. */
  get paths(): string[] {
    return [...this.entries.keys()];
  }

  private drop(path: string): void {
    this.totalBytes -= this.entries.get(path)?.sizeBytes ?? 0;
    this.entries.delete(path);
  }

  private letGoLater(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      this.entries.clear();
      this.totalBytes = 0;
    }, this.idleMs);
    this.idle.unref();
  }
}

/** @throws InputError where there is no model at the path */
function read(path: string, stamp: string, countsRows: boolean): Entry {
  const bytes = readWhole(path);
  const file = unpackModel(bytes);
  const names = file.columns.map(({ name }) => name);
  const sizeBytes = bytes.length + layOutModel(file.model);
  let explaining: Scorer | null = null;
  return {
    file,
    // How many rows come is not known: all of them are counted.
    scorer: new Scorer(file, names, 0, countsRows ? 1 : null),
    explaining: () => {
      requireFewNodes(file);
      explaining ??= new Scorer(file, names, MOST_REASONS, countsRows ? 1 : null);
      return explaining;
    },
    sizeBytes,
    stamp,
  };
}

/** Empty where there is no file: reading it says so. Files are replaced whole, so another content is another file. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** @throws InputError REASONS_TOO_LARGE */
function requireFewNodes({ model, labels }: ModelFile): void {
  const trees = formOf(model).rowTrees?.(model) ?? [];
  const nodeCount = trees.reduce((sum, { children }) => sum + children.length, 0);
  if (nodeCount * labels.length <= MOST_EXPLAINED_CELLS) return;
  const message =
    "This model's trees are too large for reasons at once. `cupel predict --reasons` gives them for a file of rows.";
  throw new InputError("REASONS_TOO_LARGE", message);
}
