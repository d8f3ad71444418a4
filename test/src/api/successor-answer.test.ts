// A successor's comparison goes by the objective of the champion's training, and so does the rule that promotes it.
import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { trainingJobs } from "../../../data/database/schema.ts";
import { findSuccessor, stepSuccessor } from "../../../data/successors.ts";
import type { TrainingJob } from "../../../data/training-jobs.ts";
import { noteWatchState } from "../../../data/watch-counts.ts";
import type { PairedDecisions } from "../../../engine/successor/paired-decisions.ts";
import type { Successor } from "../../../src/api/successors/successor-answer.ts";
import { expectAnswer, type TestApi, withApi } from "../../support/api.ts";
import { addLabelled, addScorer } from "./service.ts";

const COSTS = [{ actual: "Gentoo", predicted: null, cost: 10 }];
/** The challenger is right more often: it spares 50 false alarms, and misses 30 rows whose label costs ten. */
const DEARER: PairedDecisions = {
  labels: ["Adelie", "Gentoo"],
  champion: [
    [40, 50],
    [0, 30],
  ],
  challenger: [
    [90, 0],
    [30, 0],
  ],
  ...{ championAlone: 30, challengerAlone: 50, seenRows: 0 },
};
const COUNTED: PairedDecisions = {
  ...DEARER,
  differing: [
    [0, 1, 0, 50],
    [1, 1, 0, 30],
  ],
};

function trainedWith({ database }: TestApi, jobKey: string, changes: Partial<TrainingJob>): void {
  database.orm.update(trainingJobs).set(changes).where(eq(trainingJobs.key, jobKey)).run();
}

function start(api: TestApi, modelKey: string, body: object = {}): Promise<Response> {
  return api.request("POST", `/api/v1/models/${modelKey}/successors`, { as: "ada", body });
}

describe("a successor", () => {
  test("may take the champion's place by its rule for any objective, but not where rows are wrong together", () =>
    withApi(async (api) => {
      const askOf = async (changes: Partial<TrainingJob>) => {
        const { modelKey, jobKey } = addScorer(api, "ada");
        trainedWith(api, jobKey, changes);
        addLabelled(api, modelKey);
        return start(api, modelKey, { promote: "WHEN_BETTER" });
      };
      for (const objective of ["balanced-accuracy", "f1", "cost"] as const) {
        expect((await askOf({ objective, costs: objective === "cost" ? COSTS : null })).status).toBe(201);
      }
      for (const changes of [{ groupColumn: "island" }, { timeColumn: "sex" }]) {
        const body = { errors: [{ field: "promote", code: "NOT_APPLICABLE" }] };
        await expectAnswer(api, await askOf(changes), { status: 400, code: "VALIDATION_FAILED", body });
      }
    }));

  test("is compared by the objective of the champion's training, and says so", () =>
    withApi(async (api) => {
      const comparedBy = async (changes: Partial<TrainingJob>, comparison: PairedDecisions) => {
        const { modelKey, jobKey } = addScorer(api, "ada");
        trainedWith(api, jobKey, changes);
        addLabelled(api, modelKey);
        const made = (await (await start(api, modelKey)).json()) as Successor;
        const row = findSuccessor(api.database, made.successorKey)!;
        stepSuccessor(api.database, row, { status: "COMPLETED", comparison }, api.services.now());
        const answer = await api.request("GET", `/api/v1/successors/${made.successorKey}`, { as: "ada" });
        const { statements: _, ...shown } = ((await answer.json()) as Successor).comparison!;
        return shown;
      };
      const right = await comparedBy({ objective: "accuracy" }, COUNTED);
      expect(right).toMatchObject({ outcome: "CHALLENGER_BETTER", difference: { mean: 20 / 120 } });
      for (const field of ["objective", "championScore", "challengerScore", "differing"]) {
        expect(right).not.toHaveProperty(field);
      }
      const costs = { objective: "cost", costs: COSTS } as const;
      expect(await comparedBy(costs, DEARER)).toEqual(right);
      const dearer = await comparedBy(costs, COUNTED);
      expect(dearer).toMatchObject({
        ...{ objective: "cost", outcome: "CHAMPION_BETTER" },
        ...{ championScore: -50 / 120, challengerScore: -300 / 120, difference: { mean: -250 / 120 } },
        ...{ championAccuracy: right.championAccuracy, challengerAlone: 50, championAlone: 30 },
      });
    }));

  test("of a champion that is worse than promised names the older rows, which may hold it back", () =>
    withApi(async (api) => {
      const { modelKey } = addScorer(api, "ada");
      addLabelled(api, modelKey);
      const made = (await (await start(api, modelKey)).json()) as Successor;
      const row = findSuccessor(api.database, made.successorKey)!;
      const sources = row.sources.map((source) => ({ ...source, learnedRows: 700, keptRows: 120 }));
      const now = api.services.now();
      stepSuccessor(api.database, row, { status: "COMPLETED", comparison: DEARER, trainRows: 1_200, sources }, now);
      const last = async () => {
        const answer = await api.request("GET", `/api/v1/successors/${made.successorKey}`, { as: "ada" });
        return ((await answer.json()) as Successor).comparison!.statements.at(-1);
      };
      expect(await last()).toStartWith("Challenger less champion");
      noteWatchState(api.database, made.champion, { state: "WORSE_THAN_PROMISED", figures: null }, now);
      expect(await last()).toStartWith(
        "The champion is worse than promised, so its rows may say what no longer holds: 1,200 of the 1,900 rows",
      );
    }));
});
