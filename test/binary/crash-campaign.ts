// The crash campaign: people at work on the real program, which is killed at
// random moments and must lose nothing it said.
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { migrateDatabase } from "../../data/database/migrate.ts";
import { listOrphans } from "../../data/files/orphans.ts";
import firstMigration from "../../data/migrations/0001-first.sql" with { type: "text" };
import { deriveSeed, Random } from "../../engine/random.ts";
import { start } from "../support/server.ts";
import { type LiveServer, openServer, spawnServer } from "./crash-client.ts";
import { type CrashFigures, figuresOf, totalOf } from "./crash-figures.ts";
import { type Counts, count, Ledger, unfinished } from "./crash-ledger.ts";
import { work } from "./crash-work.ts";

const PEOPLE = 3;
const MOST_LIFE_MS = 2_500;
const MOST_STARTING_MS = 120;
const MOST_COMMAND_MS = 400;
const OLD_ROWS = 5_000;
/** Where nothing more comes to an end for so long, what is left never will: the campaign fails rather than hang. */
const SETTLING_MS = 180_000;

export interface CampaignOptions {
  program: readonly string[];
  /** Empty, and the campaign's own. */
  folder: string;
  seed: number;
  kills: number;
  /** Jobs that wait or run at once at the most. */
  mostWaiting: number;
  tell(line: string): void;
}

/** Rejects with the rule that was broken. */
export async function runCampaign(options: CampaignOptions): Promise<CrashFigures> {
  const startMs = performance.now();
  const campaign = new Campaign(options);
  await campaign.killServers();
  await campaign.killMigrations();
  const seconds = (performance.now() - startMs) / 1_000;
  return figuresOf(campaign.ledger, campaign.kills, options.seed, seconds);
}

class Campaign {
  readonly kills: Counts = {};
  readonly ledger = new Ledger();
  private readonly options: CampaignOptions;
  private readonly random: Random;
  private readonly state: string;

  constructor(options: CampaignOptions) {
    this.options = options;
    this.random = new Random(deriveSeed(options.seed, 1));
    this.state = join(options.folder, "state");
    mkdirSync(options.folder, { recursive: true });
  }

  /** Four kills of five are of servers at work, at their start, and of commands beside them; then all must settle. */
  async killServers(): Promise<void> {
    const goal = Math.ceil(this.options.kills * 0.8);
    for (let round = 0; this.killCount() < goal; round++) {
      if (round % 6 === 5) await this.killStart();
      if (round % 4 === 2) await this.killRestore();
      const server = await openServer(this.options.program, this.state);
      await this.ledger.lookAtAll(server);
      if (round % 4 === 1) await this.killBackup();
      await this.workUntilKilled(server, round % 5 === 4);
      this.options.tell(`${this.killCount()} kills, ${this.ledger.things.size} things, ${this.ledger.factCount} facts`);
    }
    await this.settle();
  }

  /** An old database is brought to the newest form by a server that is killed on the way, again and again. */
  async killMigrations(): Promise<void> {
    for (let round = 0; round === 0 || this.killCount() < this.options.kills; round++) {
      const folder = join(this.options.folder, `old-${round}`);
      makeOldState(folder);
      const kills = 1 + this.random.nextBelow(4);
      for (let kill = 0; kill < kills; kill++) {
        const child = spawnServer(this.options.program, folder);
        await Bun.sleep(this.random.nextBelow(MOST_STARTING_MS));
        child.kill("SIGKILL");
        await child.exited;
        count(this.kills, "servers that migrate an old database");
      }
      const server = spawnServer(this.options.program, folder);
      await firstLine(server.stdout);
      server.kill("SIGTERM");
      if ((await server.exited) !== 0) throw new Error("broken rule: a migrated server did not end in peace");
      checkOldState(folder);
      count(this.ledger.checked, "old databases that were migrated whole");
      rmSync(folder, { recursive: true });
    }
  }

  private killCount(): number {
    return totalOf(this.kills);
  }

  private async workUntilKilled(server: LiveServer, isGraceful: boolean): Promise<void> {
    let isOver = false;
    const people = Array.from({ length: PEOPLE }, (_, person) => {
      const random = new Random(deriveSeed(this.options.seed, 2, this.killCount() * PEOPLE + person));
      const { mostWaiting } = this.options;
      return work({ client: server, ledger: this.ledger, random, mostWaiting }, () => isOver);
    });
    await Bun.sleep(this.random.nextBelow(MOST_LIFE_MS));
    const code = await server.end(isGraceful ? "SIGTERM" : "SIGKILL");
    isOver = true;
    await Promise.all(people);
    if (!isGraceful) count(this.kills, "servers at work");
    else if (code === 0) count(this.ledger.checked, "ends by SIGTERM with exit code 0");
    else throw new Error(`broken rule: SIGTERM ended the server with ${code}: ${await server.child.stderr.text()}`);
  }

  /** The server has hardly begun to recover when it dies again. */
  private async killStart(): Promise<void> {
    const child = spawnServer(this.options.program, this.state);
    await Bun.sleep(this.random.nextBelow(MOST_STARTING_MS));
    child.kill("SIGKILL");
    await child.exited;
    count(this.kills, "servers at their start");
  }

  /** Beside a server: what a killed backup leaves is no backup, and the next one is whole. */
  private async killBackup(): Promise<void> {
    const file = join(this.options.folder, "state.backup");
    await this.killCommand(["backup", file, "--data", this.state]);
    count(this.kills, "backups beside a server");
    if (!existsSync(file)) await this.command(["backup", file, "--data", this.state]);
    const copy = join(this.options.folder, "copy");
    await this.command(["restore", file, "--data", copy]);
    await this.command(["doctor", "--data", copy, "--deep"]);
    count(this.ledger.checked, "backups that restored whole");
    rmSync(copy, { recursive: true });
    rmSync(file);
  }

  /**
   * While no server runs: whatever the moment, the state is the old one or
   * the restored one, and both are the same here.
   */
  private async killRestore(): Promise<void> {
    const file = join(this.options.folder, "same.backup");
    await this.command(["backup", file, "--data", this.state]);
    await this.killCommand(["restore", file, "--data", this.state, "--replace"]);
    count(this.kills, "restores");
    rmSync(file);
  }

  private async killCommand(args: readonly string[]): Promise<void> {
    const child = start(this.options.program, args);
    await Bun.sleep(this.random.nextBelow(MOST_COMMAND_MS));
    child.kill("SIGKILL");
    await child.exited;
  }

  private async command(args: readonly string[]): Promise<void> {
    const child = start(this.options.program, args);
    const [printed, noted, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`broken rule: ${args.join(" ")} ended with ${code}: ${printed}${noted}`);
  }

  /** With nobody at work and no kill, everything that was promised an end comes to one, and the folder is in order. */
  private async settle(): Promise<void> {
    const server = await openServer(this.options.program, this.state);
    let leftCount = Number.POSITIVE_INFINITY;
    let lastEndMs = performance.now();
    for (;;) {
      const left = unfinished(this.ledger);
      const [first] = left;
      if (first === undefined) break;
      for (const thing of left) await this.ledger.look(server, thing);
      if (left.length < leftCount) lastEndMs = performance.now();
      leftCount = left.length;
      if (performance.now() > lastEndMs + SETTLING_MS)
        throw new Error(`broken rule: ${first.kind} ${first.key} never ends`);
      await Bun.sleep(200);
    }
    await this.ledger.lookAtAll(server);
    if ((await server.end("SIGTERM")) !== 0) throw new Error("broken rule: the settled server did not end in peace");
    this.requireNoJournals();
    this.requireCountsOnce();
    await this.command(["doctor", "--data", this.state, "--deep"]);
  }

  /** However often a prediction was begun anew: its rows stand in the counts of its version once. */
  private requireCountsOnce(): void {
    const client = new Database(join(this.state, "cupel.db"), { readonly: true });
    const rowsOf = (sql: string) =>
      client
        .query<{ modelKey: string; version: number; rowCount: number }, []>(`${sql} GROUP BY 1, 2 ORDER BY 1, 2`)
        .all();
    const predicted = rowsOf(
      "SELECT modelKey, version, sum(rowCount) AS rowCount FROM predictions WHERE status = 'COMPLETED'",
    );
    const counted = rowsOf("SELECT modelKey, version, sum(counts ->> 'rowCount') AS rowCount FROM watchDays");
    client.close();
    if (!Bun.deepEquals(predicted, counted)) {
      throw new Error(`broken rule: counted ${JSON.stringify(counted)} of ${JSON.stringify(predicted)}`);
    }
    count(this.ledger.checked, "versions whose rows are counted once", counted.length);
  }

  /** But of jobs under way: one whose reply was lost in a kill is unknown to the ledger, and need not have ended. */
  private requireNoJournals(): void {
    const client = new Database(join(this.state, "cupel.db"), { readonly: true });
    const journals = listOrphans(client, this.state).filter(({ path }) => path.startsWith("journals/"));
    client.close();
    if (journals.length > 0) throw new Error(`broken rule: ${journals.length} journals of ended jobs are left`);
  }
}

/** A state folder as the first version of the database left it, with rows to lose. */
function makeOldState(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "cupel.db");
  const client = new Database(path, { create: true, strict: true });
  client.run("PRAGMA journal_mode = WAL");
  migrateDatabase(client, path, new Date(0), [{ name: "0001-first", sql: firstMigration }]);
  const add = client.query(
    "INSERT INTO users (key, email, passwordHash, role, createdOn) VALUES (?, ?, 'x', ?, '2026-01-01T00:00:00.000Z')",
  );
  client.transaction(() => {
    for (let row = 0; row < OLD_ROWS; row++) {
      add.run(crypto.randomUUID(), `user${row}@example.org`, row === 0 ? "admin" : "user");
    }
  })();
  client.close();
}

function checkOldState(folder: string): void {
  const client = new Database(join(folder, "cupel.db"), { readonly: true });
  const { count } = client.query<{ count: number }, []>("SELECT count(*) AS count FROM users").get()!;
  const { integrity_check: integrity } = client.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get()!;
  client.close();
  if (count !== OLD_ROWS || integrity !== "ok") throw new Error(`broken rule: ${count} rows, integrity ${integrity}`);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("listening on")) return;
  }
  throw new Error(`broken rule: the server did not start: ${text}`);
}
