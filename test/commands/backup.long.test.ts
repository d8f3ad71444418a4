// Backup, restore and doctor as processes: beside a server at work, killed at any moment, and by the server itself.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readBackup } from "../../data/backup/read-backup.ts";
import { openDatabase } from "../../data/database/database.ts";
import { statePaths } from "../../data/files/state-folder.ts";
import { storeRefinementUpload } from "../../data/refinements/refinement-files.ts";
import { countUsers } from "../../data/users.ts";
import { addRefinement, addUser, NOON } from "../data/state.ts";
import { fillState, placeFile } from "../support/filled-state.ts";
import { testFolder } from "../support/folders.ts";
import {
  endAll,
  FROM_SOURCE,
  isRefined,
  type Progress,
  poll,
  type Server,
  serve,
  start,
  startRefinement,
} from "../support/server.ts";

const ROOT = testFolder(endAll);
const never = new AbortController().signal;

/** Runs a command to its end. */
async function run(...args: string[]): Promise<{ exitCode: number; printed: string; noted: string }> {
  const child = start(FROM_SOURCE, args);
  const [printed, noted] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, printed, noted };
}

async function stop({ child }: Server): Promise<void> {
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}

describe("beside a server at work", () => {
  test("a backup is made whose jobs go on where it is restored", async () => {
    const [folder, file, fresh] = ["state", "a.backup", "fresh"].map((name) => join(ROOT, name)) as [
      string,
      string,
      string,
    ];
    const server = await serve(FROM_SOURCE, folder);
    const { progressUrl } = await startRefinement(server, "long", 6_000);
    const path = new URL(progressUrl).pathname;
    const reached = await poll(
      () => server.call<Progress>("GET", path),
      ({ progressCompleted }) => progressCompleted > 5,
    );
    const made = await run("backup", file, "--data", folder);
    expect([made.exitCode, made.noted]).toEqual([0, ""]);
    expect(made.printed).toContain(`Wrote ${file}: `);
    const again = await run("backup", file, "--data", folder);
    expect([again.exitCode, again.noted]).toEqual([3, expect.stringContaining("is there already")]);
    const refused = await run("restore", file, "--data", folder, "--replace");
    expect([refused.exitCode, refused.noted]).toEqual([3, expect.stringContaining("Another process works")]);
    await stop(server);

    const restored = await run("restore", file, "--data", fresh);
    expect([restored.exitCode, restored.noted]).toEqual([0, ""]);
    expect(readdirSync(join(fresh, "journals"))).toHaveLength(1);
    const second = await serve(FROM_SOURCE, fresh);
    const resumed = await second.call<Progress>("GET", path);
    expect(resumed.progressCompleted).toBeGreaterThanOrEqual(reached.progressCompleted);
    const ended = await poll(() => second.call<Progress>("GET", path), isRefined);
    expect(ended.state).toBe("REFINEMENT_COMPLETED");
    await stop(second);
  });

  test("the doctor finds it in good health", async () => {
    const folder = join(ROOT, "healthy");
    const server = await serve(FROM_SOURCE, folder);
    const { exitCode, printed } = await run("doctor", "--data", folder, "--port", "0", "--json");
    const report = JSON.parse(printed) as { problems: number; findings: { check: string; verdict: string }[] };
    expect([exitCode, report.problems]).toEqual([0, 0]);
    expect(report.findings.map(({ check }) => check)).toContain("database");
    await stop(server);
    rmSync(join(folder, "secret.key"));
    writeFileSync(join(folder, "secret.key"), "short", { mode: 0o600 });
    const sick = await run("doctor", "--data", folder, "--port", "0");
    expect([sick.exitCode, sick.printed]).toEqual([1, expect.stringMatching(/problem {2}secret[\s\S]*1 problem, /)]);
  });

  test("a second server leaves its uploads alone", async () => {
    const folder = join(ROOT, "uploads");
    const server = await serve(FROM_SOURCE, folder);
    const part = join(folder, "uploads", "0b0f1c9e-5a3c-4a53-9d55-0a7a4b7d2f11.part");
    writeFileSync(part, "under way");
    const second = await run("serve", "--data", folder, "--port", "0");
    expect([second.exitCode, existsSync(part)]).toEqual([3, true]);
    await stop(server);
  });
});

describe("a damaged folder", () => {
  test("is told of at a start, and served without a lost file where that is allowed", async () => {
    const folder = join(ROOT, "damaged");
    const { state, modelKey, database } = fillState(folder);
    database.close();
    const lost = state.locate(statePaths.modelVersion(modelKey, 1));
    rmSync(lost);
    const refused = await run("serve", "--data", folder, "--port", "0");
    expect([refused.exitCode, refused.noted]).toEqual([3, expect.stringContaining(lost)]);
    await stop(await serve(FROM_SOURCE, folder, { CUPEL_MISSING_FILES: "allow" }));
    writeFileSync(join(folder, "cupel.db"), "no database".repeat(1000));
    const damaged = await run("serve", "--data", folder, "--port", "0");
    expect([damaged.exitCode, damaged.noted]).toEqual([
      3,
      expect.stringContaining("is damaged (file is not a database)"),
    ]);
  });
});

describe("the server's own backups", () => {
  test("are made by a process beside it, whole, and end with it", async () => {
    const [folder, backups] = [join(ROOT, "own"), join(ROOT, "own-backups")];
    mkdirSync(backups);
    const settings = { CUPEL_BACKUP_FOLDER: backups, CUPEL_BACKUP_EVERY: "1", CUPEL_BACKUP_KEEP: "2" };
    const server = await serve(FROM_SOURCE, folder, settings);
    const found = async () => readdirSync(backups).find((each) => /^cupel-\d{8}-\d{6}\.backup$/.test(each)) ?? null;
    const name = (await poll(found, (each) => each !== null))!;
    const { files } = await readBackup(join(backups, name), never);
    expect([...files.keys()].sort()).toEqual(["cupel.db", "secret.key"]);
    await stop(server);
    expect(readdirSync(backups)).toEqual([name]);
  });

  test("that cannot be made are told of, and the server works", async () => {
    const folder = join(ROOT, "own-none");
    const settings = { CUPEL_BACKUP_FOLDER: join(ROOT, "nowhere"), CUPEL_LOG_FORMAT: "json" };
    const server = await serve(FROM_SOURCE, folder, settings);
    let noted = "";
    for await (const chunk of server.child.stderr) {
      noted += new TextDecoder().decode(chunk);
      if (noted.includes("NO_FOLDER")) break;
    }
    expect(noted).toContain("backup.failed");
    await server.call("GET", "/healthz");
    await stop(server);
  });
});

describe("a restore", () => {
  test("that is killed at any moment leaves one state or the other", async () => {
    const [folder, file] = [join(ROOT, "killed"), join(ROOT, "killed.backup")];
    const { database, state, ann } = fillState(folder);
    // So much to unpack that it can be killed at it.
    for (let number = 0; number < 60; number++) {
      const { key } = addRefinement(database, ann);
      const file = placeFile(state, statePaths.file(crypto.randomUUID()), "x".repeat(500_000));
      storeRefinementUpload(database, key, "TRAIN", file, NOON);
    }
    database.close();
    expect((await run("backup", file, "--data", folder)).exitCode).toBe(0);
    const later = openDatabase(folder);
    addUser(later, "bob@example.com");
    later.close();
    const outcomes = new Set<number>();
    for (const awaited of ["restoring", "restore.json", "before-restore", "secret.key", "models"]) {
      const child = start(FROM_SOURCE, ["restore", file, "--data", folder, "--replace"]);
      // Killed as soon as a name of this kind comes or goes.
      const seen = new Promise<void>((resolve) => {
        const watcher = watch(folder, (_, name) => {
          if (!name?.startsWith(awaited)) return;
          watcher.close();
          resolve();
        });
      });
      await Promise.race([seen, child.exited]);
      child.kill("SIGKILL");
      await child.exited;
      // The next command that holds the lock ends what was begun.
      const users = await run("user", "list", "--data", folder);
      expect([awaited, users.exitCode, users.noted]).toEqual([awaited, 0, ""]);
      const opened = openDatabase(folder);
      outcomes.add(countUsers(opened));
      opened.close();
      expect(readdirSync(folder).filter((name) => name.startsWith("restor"))).toEqual([]);
      const { printed } = await run("doctor", "--data", folder, "--port", "0", "--deep", "--json");
      const { findings } = JSON.parse(printed) as { findings: { check: string; verdict: string }[] };
      // The rows are of a later year than the machine's clock says.
      const problems = findings.filter(({ check, verdict }) => verdict === "problem" && check !== "clock");
      expect([awaited, problems]).toEqual([awaited, []]);
    }
    for (const outcome of outcomes) expect([1, 2]).toContain(outcome);
  }, 300_000);

  test("that stopped half-way is ended by the server, which does not begin with an empty folder", async () => {
    const [folder, file, fresh] = ["half", "half.backup", "half-fresh"].map((name) => join(ROOT, name)) as [
      string,
      string,
      string,
    ];
    await stop(await serve(FROM_SOURCE, folder));
    expect((await run("backup", file, "--data", folder)).exitCode).toBe(0);
    expect((await run("restore", file, "--data", fresh)).exitCode).toBe(0);
    // As a killed restore leaves it: the state aside, and the restored one not yet in its place.
    const aside = "before-restore-20310506-120000";
    mkdirSync(join(folder, aside));
    for (const name of readdirSync(folder)) {
      if (name !== aside && name !== "cupel.lock") renameSync(join(folder, name), join(folder, aside, name));
    }
    rmSync(join(fresh, "cupel.lock"));
    renameSync(fresh, join(folder, "restoring"));
    writeFileSync(join(folder, "restore.json"), JSON.stringify({ phase: "in", aside }));
    const server = await serve(FROM_SOURCE, folder);
    expect(server.printed).not.toContain("Added the administrator");
    await stop(server);
    expect(await server.child.stderr.text()).toContain("restore.finished");
    expect(readdirSync(folder)).not.toContain("restore.json");
  });
});
