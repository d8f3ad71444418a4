// A disk of 32 MiB that something else fills: logins, downloads, cancels and deletes go
// on, jobs say that they wait, and all is well again.
import { expect } from "bun:test";
import { closeSync, openSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { poll, serve } from "../support/server.ts";
import {
  addDataset,
  datasetForm,
  endOfTraining,
  logIn,
  onSmallDisk,
  outcomeOf,
  progressOf,
  startTraining,
} from "./surroundings.ts";

const DISK_MIB = 32;

/** Takes all that is free, to the last byte. */
function fill(path: string): void {
  const file = openSync(path, "a");
  for (const size of [65_536, 1]) {
    try {
      for (const bytes = new Uint8Array(size); ; ) writeSync(file, bytes);
    } catch {
      // The disk takes no more of this size.
    }
  }
  closeSync(file);
}

export function fullDisk(program: readonly string[], folder: string): Promise<string[]> {
  return onSmallDisk(folder, DISK_MIB, async (mount) => {
    const state = join(mount, "state");
    const server = await serve(program, state, { CUPEL_LOG_LEVEL: "error" });
    const datasetKey = await addDataset(server, "before");
    const models: string[] = [];
    for (let model = 0; model < 3; model++) {
      const { modelKey } = await endOfTraining(server, await startTraining(server, datasetKey, 0));
      models.push(modelKey!);
    }
    const running = await startTraining(server, datasetKey, 299);
    await poll(
      () => progressOf(server, running),
      ({ attemptsCompleted }) => attemptsCompleted > 3,
    );

    const filler = join(mount, "filler");
    fill(filler);
    for (let login = 0; login < 20; login++) expect(await logIn(server)).toBe(200);
    const file = `/api/v1/models/${models[0]}/versions/1/file`;
    expect(await outcomeOf(server, "GET", file)).toBe("done");
    const waiting = await poll(
      () => progressOf(server, running),
      ({ waitingReason }) => waitingReason !== undefined,
    );
    expect(waiting.waitingReason).toMatch(/^STORAGE_FULL: .* waits for room: [\d,]+ MiB/);
    fill(filler);
    // Whatever the reserve still holds is not for new work.
    expect(await outcomeOf(server, "POST", "/api/v1/datasets", datasetForm("no room"))).toBe("507 STORAGE_FULL");
    expect(await outcomeOf(server, "PATCH", `/api/v1/training/${running}/cancel`)).toBe("done");
    expect((await endOfTraining(server, running)).status).toBe("CANCELLED");
    for (const modelKey of models) {
      expect(await outcomeOf(server, "DELETE", `/api/v1/models/${modelKey}`)).toBe("done");
    }

    unlinkSync(filler);
    const reserve = () => statSync(join(state, "cupel.reserve"), { throwIfNoEntry: false })?.size ?? 0;
    await poll(
      async () => reserve(),
      (size) => size > 0,
    );
    await addDataset(server, "after");
    const events = await server.call<{ items: { action: string }[] }>("GET", "/api/v1/audit?limit=100");
    const logins = JSON.stringify(events).split('"LOGIN"').length - 1;
    expect(logins).toBe(21);
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
    return [`${DISK_MIB} MiB filled to the last byte: 20 logins, a download, a cancel and 3 deletes went on`];
  });
}
