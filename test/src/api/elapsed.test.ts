// The time that jobs are said to have taken: by the clock of the process that works on them, whatever the time of day.
import { expect, test } from "bun:test";
import { finishRefinement } from "../../../data/refinements/refinement-runs.ts";
import { refinementRoutes } from "../../../src/api/refinements/feature-refinery.ts";
import { trainingRoutes } from "../../../src/api/training/training.ts";
import { trainingProgressRoutes } from "../../../src/api/training/training-progress.ts";
import { closingAfter, startApi } from "../../support/api.ts";
import { addRunAt } from "./intake.ts";
import { addJobIn } from "./service.ts";

test("a clock that is set moves no job's time, while it runs and after", async () => {
  let runningMs: number | null = 12_900;
  const started = startApi({
    routes: (base) => {
      const services = { ...base, elapsedMs: () => runningMs };
      return [...refinementRoutes(services), ...trainingProgressRoutes(services), ...trainingRoutes(services)];
    },
  });
  await closingAfter(started, async (api) => {
    type Shown = { elapsedSeconds: number };
    const get = async (path: string) =>
      (await (await api.request("GET", path, { as: "ada" })).json()) as Shown & { refinements: Shown[] };
    const run = addRunAt(api, "ada", "REFINING_LOOP_1");
    const job = addJobIn(api, "ada", "RUNNING");
    const shown = async () => [
      (await get(`/api/v1/feature-refinery/${run.key}/progress`)).elapsedSeconds,
      (await get("/api/v1/feature-refinery")).refinements[0]!.elapsedSeconds,
      (await get(`/api/v1/training/${job.key}/progress`)).elapsedSeconds,
    ];
    for (const seconds of [0, -40, 80_000]) {
      api.pass(seconds);
      expect(await shown()).toEqual([12, 12, 12]);
    }
    const { database, services } = api;
    await api.request("PATCH", `/api/v1/training/${job.key}/cancel`, { as: "ada" });
    const end = { state: "ERROR", errorReason: "No." } as const;
    finishRefinement(database, run.key, end, services.now(), runningMs);
    runningMs = null;
    expect(await shown()).toEqual([12, 12, 12]);
  });
});
