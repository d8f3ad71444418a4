// `cupel serve` as a process: the whole flow over HTTP, an end in the middle of
// a job and the start after it, a second process.
import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import {
  driveFlow,
  endAll,
  FROM_SOURCE,
  isRefined,
  type Progress,
  poll,
  readUntil,
  serve,
  start,
  startRefinement,
} from "../support/server.ts";

const ROOT = testFolder(endAll);

describe("the service", () => {
  test("refines, trains, moves the champion and predicts over HTTP", () => driveFlow(FROM_SOURCE, join(ROOT, "flow")));

  test("goes on after an end in the middle of a job, polite or not", async () => {
    const folder = join(ROOT, "restarts");
    let server = await serve(FROM_SOURCE, folder);
    const { featureRefinementKey: key, progressUrl } = await startRefinement(server, "long", 6_000);
    const path = new URL(progressUrl).pathname;
    let reached = 0;
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      const { progressCompleted } = await poll(
        () => server.call<Progress>("GET", path),
        (progress) => progress.progressCompleted > reached + 5 || isRefined(progress),
      );
      reached = progressCompleted;
      server.child.kill(signal);
      await server.child.exited;
      server = await serve(FROM_SOURCE, folder);
      const again = await server.call<Progress>("GET", path);
      expect(again.progressCompleted).toBeGreaterThanOrEqual(reached);
    }
    const ended = await poll(() => server.call<Progress>("GET", path), isRefined);
    expect(ended.state).toBe("REFINEMENT_COMPLETED");
    const { keptColumns } = await server.call<{ keptColumns: string[] }>(
      "GET",
      `/api/v1/feature-refinery/${key}/result`,
    );
    expect(keptColumns).toEqual(expect.arrayContaining(["strong", "weak", "left", "right"]));
    expect(readdirSync(join(folder, "journals"))).toEqual([]);
    server.child.kill("SIGTERM");
    await server.child.exited;
  });

  test("lets no second process into its folder, which is for the owner's eyes", async () => {
    const folder = join(ROOT, "alone");
    const { child } = await serve(FROM_SOURCE, folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
    const second = start(FROM_SOURCE, ["serve", "--data", folder, "--port", "0"]);
    expect(await second.exited).toBe(3);
    expect(await second.stderr.text()).toContain("Another process works in the state folder");
    const users = start(FROM_SOURCE, ["user", "list", "--data", folder]);
    expect(await users.exited).toBe(0);
    expect(await users.stdout.text()).toContain("ada@example.org");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("reached from other machines answers to the machine's name, and says that passwords travel unencrypted", async () => {
    const data = join(ROOT, "network");
    const child = start(FROM_SOURCE, ["serve", "--data", data, "--host", "0.0.0.0", "--port", "0", "--workers", "1"]);
    const printed = await readUntil(child.stdout, /travel unencrypted[^\n]*\n/);
    const port = /listening on http:\/\/0\.0\.0\.0:(\d+)/.exec(printed)![1]!;
    const statusFor = async (host: string) =>
      (await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { host: `${host}:${port}` } })).status;
    const name = hostname();
    expect([await statusFor(name), await statusFor(`${name}.local`)]).toEqual([200, 200]);
    expect(await statusFor("evil.example")).toBe(421);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("makes an administrator where users have none, and no second one", async () => {
    const folder = join(ROOT, "no-administrator");
    const added = start(FROM_SOURCE, ["user", "add", "bob@example.org", "--data", folder]);
    expect(await added.exited).toBe(0);
    for (const isFirst of [true, false]) {
      const { child, printed } = await serve(FROM_SOURCE, folder);
      expect(printed.includes("Added the administrator ada@example.org")).toBe(isFirst);
      child.kill("SIGTERM");
      await child.exited;
    }
  });

  test("refuses an administrator's address that `user add` would refuse", async () => {
    const settings = { CUPEL_ADMIN_EMAIL: "foo" };
    const child = start(FROM_SOURCE, ["serve", "--data", join(ROOT, "no-address"), "--port", "0"], settings);
    expect(await child.stderr.text()).toContain('CUPEL_ADMIN_EMAIL: "foo" is not an e-mail address.');
    expect(await child.exited).toBe(3);
  });

  test("says which port is taken", async () => {
    const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const child = start(FROM_SOURCE, ["serve", "--data", join(ROOT, "taken"), "--port", String(other.port)]);
    expect(await child.stderr.text()).toContain(`Cannot listen on 127.0.0.1:${other.port}`);
    expect(await child.exited).toBe(3);
    other.stop(true);
  });
});
