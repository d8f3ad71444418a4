// A disk that turns read only under a server: reads, logins and downloads go
// on, changes are 503, and commands that read read.
import { expect } from "bun:test";
import { join } from "node:path";
import { poll, serve, start } from "../support/server.ts";
import {
  addDataset,
  datasetForm,
  endOfTraining,
  logIn,
  onFailingDisk,
  outcomeOf,
  progressOf,
  startTraining,
} from "./surroundings.ts";

export function readOnlyDisk(program: readonly string[], folder: string): Promise<string[]> {
  return onFailingDisk(folder, async (mount, fail) => {
    const state = join(mount, "state");
    const server = await serve(program, state, { CUPEL_LOG_LEVEL: "error" });
    const datasetKey = await addDataset(server, "before");
    const { modelKey } = await endOfTraining(server, await startTraining(server, datasetKey, 0));
    const running = await startTraining(server, datasetKey, 299);
    await poll(
      () => progressOf(server, running),
      ({ attemptsCompleted }) => attemptsCompleted > 3,
    );
    fail();
    for (let login = 0; login < 5; login++) expect(await logIn(server)).toBe(200);
    const model = `/api/v1/models/${modelKey}`;
    for (const path of [`${model}/versions/1/file`, `${model}/versions/1/report`, "/api/v1/datasets", "/healthz"]) {
      expect([path, await outcomeOf(server, "GET", path)]).toEqual([path, "done"]);
    }
    const changes = [
      await outcomeOf(server, "DELETE", model),
      await outcomeOf(server, "PATCH", `/api/v1/training/${running}/cancel`),
      await outcomeOf(server, "POST", "/api/v1/datasets", datasetForm("none")),
      await outcomeOf(server, "GET", "/readyz"),
    ];
    expect(changes).toEqual(Array.from({ length: 4 }, () => "503 UNAVAILABLE"));
    const { status, waitingReason } = await poll(
      () => progressOf(server, running),
      (progress) => progress.waitingReason !== undefined,
    );
    expect([status, waitingReason]).toEqual(["RUNNING", expect.stringMatching(/^STORAGE_/)]);

    const outputOf = async (...args: string[]) => {
      const child = start(program, [...args, "--data", state]);
      const [printed, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
      return { printed, code };
    };
    for (const isServed of [true, false]) {
      expect(await outputOf("user", "list")).toMatchObject({
        code: 0,
        printed: expect.stringContaining("ada@example.org"),
      });
      expect(await outputOf("audit")).toMatchObject({ code: 0, printed: expect.stringContaining("USER_ADDED") });
      expect((await outputOf("user", "disable", "ada@example.org")).code).toBe(3);
      expect((await outputOf("doctor")).printed).toMatch(/problem {2}mount .* is mounted read-only/);
      const backup = join(folder, `backup-${isServed}.tar`);
      expect(await outputOf("backup", backup)).toMatchObject({ code: 0 });
      if (!isServed) break;
      server.child.kill("SIGTERM");
      expect(await server.child.exited).toBe(0);
    }
    return [
      "made read only by force: logins, reads, downloads, five commands and the backup went on, changes were 503",
    ];
  });
}
