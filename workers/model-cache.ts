// Models that were used lately, unpacked and laid out to score rows one by one, by path.
import { layOutModel } from "../engine/families/algorithms.ts";
import { type ModelFile, unpackModel } from "../engine/model/model-file.ts";
import { Scorer } from "../engine/scoring/scorer.ts";
import { readWhole } from "./file-chunks.ts";

/** What the cached models may take together: their files, and what is laid out. */
const MOST_BYTES = 256 << 20;
/** Once nobody has asked for a model for so long, all of them are let go. */
const IDLE_MS = 600_000;

export interface ReadyModel {
  file: ModelFile;
  /** Takes records with the model's columns in the model's order. Its counts are whose turn it is: use it without a pause. */
  scorer: Scorer;
}

interface Entry extends ReadyModel {
  sizeBytes: number;
}

/** Files at the paths never change. The models used least lately give way, but the one just asked for stays, however large. */
export class ModelCache {
  private readonly mostBytes: number;
  private readonly idleMs: number;
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** The one used last is last. */
  private readonly entries = new Map<string, Entry>();
  private totalBytes = 0;

  constructor(mostBytes: number = MOST_BYTES, idleMs: number = IDLE_MS) {
    this.mostBytes = mostBytes;
    this.idleMs = idleMs;
  }

  /** Blocks while it reads a model that is not here. Throws InputError where there is none at the path. */
  open(path: string): ReadyModel {
    this.letGoLater();
    const known = this.entries.get(path);
    if (known !== undefined) {
      this.entries.delete(path);
      this.entries.set(path, known);
      return known;
    }
    const bytes = readWhole(path);
    const file = unpackModel(bytes);
    const names = file.columns.map(({ name }) => name);
    const sizeBytes = bytes.length + layOutModel(file.model);
    const entry = { file, scorer: new Scorer(file, names), sizeBytes };
    this.entries.set(path, entry);
    this.totalBytes += entry.sizeBytes;
    for (const [oldest, { sizeBytes }] of this.entries) {
      if (this.totalBytes <= this.mostBytes || oldest === path) break;
      this.entries.delete(oldest);
      this.totalBytes -= sizeBytes;
    }
    return entry;
  }

  /** Paths that are here, the one used least lately first. */
  get paths(): string[] {
    return [...this.entries.keys()];
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
