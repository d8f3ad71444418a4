// Jobs and memory on a real scheduler with a tiny budget: together they keep to it, a
// large one has its turn, and what can never run says so.
import { describe, expect, test } from "bun:test";
import { cancelRefinement } from "../../../data/refinements/refinements.ts";
import { cancelTrainingJob } from "../../../data/training-jobs.ts";
import { jobNeed } from "../../../src/jobs/job-need.ts";
import type { WatchedJob } from "../../../src/jobs/job-run.ts";
import type { Scheduler } from "../../../src/jobs/scheduler.ts";
import { predictionOf, refinementOf, trainingOf, withoutLabel } from "../../support/job-flows.ts";
import {
  addDataset,
  addPrediction,
  addRefinement,
  addTraining,
  datasetOf,
  idle,
  type JobState,
  until,
  withJobState,
  withScheduler,
} from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const SMALL = knownTable(120, 1);
const LARGE = knownTable(8_000, 2);
const PLENTY = { light: 2 ** 33, heavy: 2 ** 33 };
const UNLABELLED = withoutLabel(SMALL);

/** Works under another budget from here on, in a scheduler of its own. */
function under(
  jobs: JobState,
  jobBytes: { light: number; heavy: number },
  use: (scheduler: Scheduler) => Promise<void>,
): Promise<void> {
  return withScheduler({ ...jobs.services, memory: { ...jobs.services.memory, jobBytes } }, use);
}

const needOf = ({ services }: JobState, kind: WatchedJob["kind"], key: string) =>
  jobNeed(kind, key, { ...services, mostHeavyBytes: Number.POSITIVE_INFINITY });
const keysOf = (scheduler: Scheduler) => scheduler.running().map(({ key }) => key);

/** Datasets of ann and bob, and a model of ann's. */
async function prepare(jobs: JobState): Promise<{ small: string; large: string; modelKey: string }> {
  const small = addDataset(jobs, SMALL);
  const large = addDataset(jobs, LARGE, { userKey: jobs.bob });
  let modelKey = "";
  await under(jobs, PLENTY, async (scheduler) => {
    await idle(scheduler);
    const job = addTraining(jobs, small, { scalingFactor: 0 });
    await idle(scheduler);
    modelKey = trainingOf(jobs, job).modelKey!;
  });
  return { small, large, modelKey };
}

describe("admission", () => {
  test("a large job waits for memory and is overtaken by nothing that would cost it its turn", () =>
    withJobState(async (jobs) => {
      const { small, large, modelKey } = await prepare(jobs);
      const first = addTraining(jobs, small, { scalingFactor: 199 });
      const second = addTraining(jobs, large, { userKey: jobs.bob, scalingFactor: 0 });
      const likeLate = addRefinement(jobs, SMALL, SMALL);
      const needs = {
        first: needOf(jobs, "training", first),
        second: needOf(jobs, "training", second),
        refinement: needOf(jobs, "refinement", likeLate),
      };
      cancelRefinement(jobs.database, jobs.ann, likeLate, new Date());
      expect(needs.second).toBeGreaterThan(needs.first);
      // Room for each of the small ones beside the other, and for none of them beside the large one.
      const heavy = Math.max(needs.second + 2 ** 20, needs.first + needs.refinement);
      expect(heavy).toBeLessThan(needs.second + Math.min(needs.first, needs.refinement));
      await under(jobs, { heavy, light: 2 * heavy }, async (scheduler) => {
        await until(() => keysOf(scheduler).includes(first), "the first training");
        const late = addRefinement(jobs, SMALL, SMALL);
        const prediction = addPrediction(jobs, modelKey, UNLABELLED);
        scheduler.wake();
        await until(() => {
          const found = predictionOf(jobs, prediction.key);
          expect(keysOf(scheduler)).not.toContain(late);
          expect(keysOf(scheduler)).not.toContain(second);
          return found.status === "COMPLETED";
        }, "the prediction");
        expect(trainingOf(jobs, first).status).toBe("RUNNING");
        cancelTrainingJob(jobs.database, jobs.ann, first, new Date());
        scheduler.cancel(first);
        await until(() => trainingOf(jobs, second).status !== "PENDING", "the large training");
        await until(() => {
          expect(keysOf(scheduler).includes(second) && keysOf(scheduler).includes(late)).toBeFalse();
          return scheduler.running().length === 0;
        }, "the end of all jobs");
        expect(trainingOf(jobs, second).status).toBe("COMPLETED");
        expect(refinementOf(jobs, late).state).toBe("REFINEMENT_COMPLETED");
      });
      expect(jobs.faults).toEqual([]);
    }));

  test("work that no budget of this server has room for ends with both numbers, and leaves the others theirs", () =>
    withJobState(async (jobs) => {
      const { small, large, modelKey } = await prepare(jobs);
      const never = addTraining(jobs, large, { userKey: jobs.bob, scalingFactor: 0 });
      const fits = addTraining(jobs, small, { scalingFactor: 0 });
      // Not even with the smallest forests.
      const heavy = jobNeed("training", never, { ...jobs.services, mostHeavyBytes: 0 }) - 1;
      await under(jobs, { heavy, light: 2 ** 33 }, async (scheduler) => {
        await idle(scheduler);
        expect([trainingOf(jobs, never).status, trainingOf(jobs, fits).status]).toEqual(["FAILED", "COMPLETED"]);
        const needMib = Math.ceil((heavy + 1) / 2 ** 20);
        const mostMib = Math.ceil(heavy / 2 ** 20);
        expect(trainingOf(jobs, never).errorReason).toMatch(
          new RegExp(`^MEMORY_BUDGET: This takes up to ${needMib} MiB .* may have ${mostMib} MiB`),
        );
      });
      await under(jobs, { heavy: 1, light: 1 }, async (scheduler) => {
        const dataset = addDataset(jobs, SMALL);
        const refinement = addRefinement(jobs, SMALL, SMALL);
        const prediction = addPrediction(jobs, modelKey, UNLABELLED);
        await idle(scheduler);
        const refined = refinementOf(jobs, refinement);
        const scored = predictionOf(jobs, prediction.key);
        expect([datasetOf(jobs, dataset).status, refined.state, scored.status]).toEqual(["FAILED", "ERROR", "FAILED"]);
        for (const { errorReason } of [datasetOf(jobs, dataset), refined, scored]) {
          expect(errorReason).toMatch(/^MEMORY_BUDGET: This takes up to \d+ MiB .* may have 1 MiB/);
        }
      });
      expect(jobs.faults).toEqual([]);
    }));

  test("a refinement whose table is larger than its beginning told is put back, and goes on when there is memory", () =>
    withJobState(async (jobs) => {
      const { small } = await prepare(jobs);
      const running = addTraining(jobs, small, { scalingFactor: 199 });
      // A beginning of long records promises few rows: the file has many short ones behind it.
      const [header, ...lines] = LARGE.trimEnd().split("\n");
      const long = lines.slice(0, 30).map((line) => line.replace(",same,", `,${"same".repeat(3_000)},`));
      const uneven = [header, ...long, ...lines.slice(30)].join("\n");
      const refinement = addRefinement(jobs, uneven, SMALL, { userKey: jobs.bob });
      const likeIt = addRefinement(jobs, LARGE, SMALL);
      const heavy = needOf(jobs, "refinement", likeIt);
      cancelRefinement(jobs.database, jobs.ann, likeIt, new Date());
      expect(needOf(jobs, "refinement", refinement) + needOf(jobs, "training", running)).toBeLessThan(heavy);
      await under(jobs, { heavy, light: 2 ** 33 }, async (scheduler) => {
        await until(() => jobs.heard.includes(`suspended ${refinement}`), "the refinement's being put back");
        const waiting = refinementOf(jobs, refinement);
        expect(waiting).toMatchObject({ state: "SETUP_READING", claimed: false, finishedOn: null, restarts: 0 });
        expect(keysOf(scheduler)).toEqual([running]);
        cancelTrainingJob(jobs.database, jobs.ann, running, new Date());
        scheduler.cancel(running);
        const stateOf = () => refinementOf(jobs, refinement).state;
        await until(() => stateOf() !== "SETUP_READING", "its work behind the reading");
        expect(keysOf(scheduler)).toEqual([refinement]);
        cancelRefinement(jobs.database, jobs.bob, refinement, new Date());
        scheduler.cancel(refinement);
        await until(() => scheduler.running().length === 0, "its end");
        expect(stateOf()).toBe("CANCELLED");
      });
      expect(jobs.faults).toEqual([]);
    }));
});
