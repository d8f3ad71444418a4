// What a server has acknowledged, and the rules that whatever it says later must keep (contract, section 3).
import { createHash } from "node:crypto";
import type { Client, Reply } from "./crash-client.ts";

/** The kinds of things, with the path that tells how each stands. */
const STATUS_PATHS = {
  dataset: (key: string) => `/api/v1/datasets/${key}`,
  refinement: (key: string) => `/api/v1/feature-refinery/${key}/progress`,
  training: (key: string) => `/api/v1/training/${key}/progress`,
  prediction: (key: string) => `/api/v1/predictions/${key}`,
} as const;

const TERMINAL: ReadonlySet<string> = new Set([
  ...["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT", "NOT_COMPLETED", "TIMEOUT"],
  ...["REFINEMENT_COMPLETED", "ERROR"],
]);

export type Kind = keyof typeof STATUS_PATHS;

/** One thing, as far as answers told. */
export interface Thing {
  kind: Kind;
  key: string;
  /** Uploads were acknowledged, or the file came with the request: it must come to an end. */
  mustEnd: boolean;
  status: string | null;
  /** What must never be less than it was. */
  progress: number;
  /** What a terminal state froze. */
  frozen: string | null;
  /** In words, where it ended without doing what it was for. */
  endReason: string | null;
  cancelAcknowledged: boolean;
  /** SHA-256 of its file, once it was downloaded. */
  fileHash: string | null;
  /** Of a prediction: rows whose later labels were acknowledged; null where none were. */
  labelledRows: number | null;
}

export interface ModelFacts {
  key: string;
  trainingKey: string;
  /** The versions but for the champion's mark. */
  versions: string;
  /** Null where a move may or may not have been done. */
  champion: number | null;
  /** Moves that were asked for, and those of them without an answer yet. */
  moveCount: number;
  movesUnderWay: number;
}

/** Throws, naming the broken rule, where an answer contradicts an earlier one. */
export class Ledger {
  readonly things = new Map<string, Thing>();
  readonly models = new Map<string, ModelFacts>();
  /** How often each kind of thing was acknowledged, and how often each kind of fact was held against an answer. */
  readonly acknowledged: Counts = {};
  readonly checked: Counts = {};
  factCount = 0;

  /** `what` was done, by an answer that said so. */
  acknowledge(what: string): void {
    count(this.acknowledged, what);
    this.factCount++;
  }

  /** A thing that an answer told of. */
  add(kind: Kind, key: string, mustEnd: boolean): Thing {
    const thing = {
      kind,
      key,
      mustEnd,
      status: null,
      progress: 0,
      frozen: null,
      endReason: null,
      cancelAcknowledged: false,
      fileHash: null,
      labelledRows: null,
    };
    this.things.set(key, thing);
    this.acknowledge(`${kind}s made`);
    return thing;
  }

  ofKind(kind: Kind, status?: string): Thing[] {
    return [...this.things.values()].filter(
      (thing) => thing.kind === kind && (status === undefined || thing.status === status),
    );
  }

  /** Asks how a thing stands and holds the answer against what is known. False where the connection broke. */
  async look(client: Client, thing: Thing): Promise<boolean> {
    const reply = await client.ask("GET", STATUS_PATHS[thing.kind](thing.key));
    if (reply === null) return false;
    require(reply.status === 200, thing, `answers ${reply.status} after it was acknowledged`);
    this.note(thing, reply);
    count(this.checked, `${thing.kind}s asked for`);
    if (thing.kind === "training" && thing.frozen !== null) await this.lookAtModel(client, thing);
    if (thing.kind === "prediction" && thing.status === "COMPLETED") await this.lookAtFile(client, thing);
    if (thing.labelledRows !== null) await this.lookAtLabels(client, thing, thing.labelledRows);
    return true;
  }

  private async lookAtLabels(client: Client, thing: Thing, rowCount: number): Promise<void> {
    const reply = await client.ask("GET", `/api/v1/predictions/${thing.key}/outcomes`);
    if (reply === null) return;
    const { outcomes } = reply.json as { outcomes: { rowCount: number } | null };
    require(outcomes?.rowCount === rowCount, thing, `has ${outcomes?.rowCount} labels instead of ${rowCount}`);
    count(this.checked, "labels that counted once");
  }

  /** Holds everything that is known against the server. */
  async lookAtAll(client: Client): Promise<void> {
    for (const thing of this.things.values()) await this.look(client, thing);
  }

  private note(thing: Thing, { json }: Reply): void {
    const status = String(json["status"] ?? json["state"]);
    const progress = Number(json["progressCompleted"] ?? json["attemptsCompleted"] ?? 0);
    if (thing.frozen !== null) require(status === thing.status, thing, `went from ${thing.status} to ${status}`);
    if (thing.kind !== "training")
      require(progress >= thing.progress, thing, `fell from ${thing.progress} to ${progress}`);
    if (thing.mustEnd && thing.kind === "dataset") require(status !== "PENDING", thing, "lost its upload");
    if (thing.cancelAcknowledged) count(this.checked, "cancels that were kept");
    if (thing.cancelAcknowledged && thing.kind === "training") {
      require(status === "CANCELLED", thing, `is ${status} after its cancel was acknowledged`);
    }
    if (thing.cancelAcknowledged && thing.kind === "refinement") {
      require(json["cancelRequested"] === true, thing, "forgot its cancel");
    }
    if (TERMINAL.has(status)) {
      const frozen = JSON.stringify([status, json["elapsedSeconds"], json["rowCount"], json["progressCompleted"]]);
      require(thing.frozen === null || thing.frozen === frozen, thing, `changed from ${thing.frozen} to ${frozen}`);
      if (status === "REFINEMENT_COMPLETED") {
        require(json["progressCompleted"] === json["progressTotal"], thing, "completed with units left");
      }
      if (thing.frozen === null) this.factCount++;
      else count(this.checked, "ends that stayed as they were");
      thing.frozen = frozen;
      thing.endReason = typeof json["errorReason"] === "string" ? json["errorReason"] : null;
    }
    thing.status = status;
    thing.progress = Math.max(thing.progress, progress);
  }

  private async lookAtModel(client: Client, thing: Thing): Promise<void> {
    const job = await client.ask("GET", `/api/v1/training/${thing.key}`);
    if (job === null) return;
    thing.endReason = typeof job.json["errorReason"] === "string" ? job.json["errorReason"] : null;
    const modelKey = job.json["modelKey"];
    if (thing.status === "COMPLETED") require(typeof modelKey === "string", thing, "completed without a model");
    if (typeof modelKey !== "string") return;
    const movesBefore = this.models.get(modelKey)?.moveCount ?? 0;
    const model = await client.ask("GET", `/api/v1/models/${modelKey}`);
    if (model === null) return;
    require(model.status === 200, thing, `has a model that answers ${model.status}`);
    const listed = model.json["versions"] as { version: number; champion: boolean }[];
    const champions = listed.filter(({ champion }) => champion);
    require(champions.length === 1, thing, `has ${champions.length} champions`);
    const versions = JSON.stringify(listed.map((version) => ({ ...version, champion: undefined })));
    const known = this.models.get(modelKey);
    require(known === undefined || known.versions === versions, thing, "has other versions than before");
    const facts = known ?? {
      key: modelKey,
      trainingKey: thing.key,
      versions,
      champion: null,
      moveCount: 0,
      movesUnderWay: 0,
    };
    this.models.set(modelKey, facts);
    if (facts.movesUnderWay === 0 && facts.moveCount === movesBefore) {
      const champion = champions[0]!.version;
      const isKept = facts.champion === null || facts.champion === champion;
      require(isKept, thing, `has champion ${champion} in place of ${facts.champion}`);
      if (facts.champion !== null) count(this.checked, "champions that stayed");
      facts.champion = champion;
    }
    if (known === undefined) this.factCount++;
    else count(this.checked, "versions of models that stayed");
    const file = await client.ask("GET", `/api/v1/models/${modelKey}/versions/1/file`);
    if (file !== null) this.noteFile(thing, file);
  }

  private async lookAtFile(client: Client, thing: Thing): Promise<void> {
    const file = await client.ask("GET", `/api/v1/predictions/${thing.key}/file`);
    if (file !== null) this.noteFile(thing, file);
  }

  private noteFile(thing: Thing, file: Reply): void {
    require(file.status === 200, thing, `has a file that answers ${file.status}`);
    const hash = createHash("sha256").update(file.text).digest("hex");
    require(thing.fileHash === null || thing.fileHash === hash, thing, "has another file than before");
    if (thing.fileHash === null) this.factCount++;
    else count(this.checked, "files that stayed, byte for byte");
    thing.fileHash = hash;
  }
}

export type Counts = Record<string, number>;

export function count(counts: Counts, what: string, by = 1): void {
  counts[what] = (counts[what] ?? 0) + by;
}

/** Things that must end and have not been seen to. */
export function unfinished(ledger: Ledger): Thing[] {
  return [...ledger.things.values()].filter(({ mustEnd, frozen }) => mustEnd && frozen === null);
}

function require(holds: boolean, { kind, key }: Thing, what: string): void {
  if (!holds) throw new Error(`broken rule: ${kind} ${key} ${what}`);
}
