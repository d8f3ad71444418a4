// Whole runs over the API on a table of machines: judged at random and by
// machine, with and without a refinement before.
import { beforeAll, expect, test } from "bun:test";
import { Random } from "../../../engine/random.ts";
import type { ModelDetails } from "../../../src/api/models/model-details.ts";
import type { ModelDetail } from "../../../src/api/models/models.ts";
import type { RefinementAnswer } from "../../../src/api/refinements/refinement-result.ts";
import type { TrainingDetail } from "../../../src/api/training/training.ts";
import type { TrainingProgress } from "../../../src/api/training/training-progress.ts";
import type { Service } from "../../../src/service/service.ts";
import { testFolder } from "../../support/folders.ts";
import { formOf } from "../../support/form.ts";
import { openTestService, SignedIn } from "../../support/live-service.ts";

const MACHINES = 60;
const ROWS = 20;
const NUMBERS = 5;
const folder = testFolder(() => service.close());
let service: Service;
const ada = new SignedIn(() => service);

/**
 * Each machine has its own place in the table and a label by chance: its rows
 * tell of each other, of new machines nothing does.
 */
function machineTable(): string {
  const random = new Random(3);
  const lines = ["machine,a,b,c,d,e,state"];
  for (let machine = 0; machine < MACHINES; machine++) {
    const label = random.nextBelow(2) === 0 ? "good" : "bad";
    const offsets = Array.from({ length: NUMBERS }, () => 10 * random.nextFloat());
    for (let row = 0; row < ROWS; row++) {
      const cells = offsets.map((offset) => (offset + 0.05 * random.nextFloat()).toFixed(4));
      lines.push([`m${machine}`, ...cells, label].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

beforeAll(async () => {
  service = await openTestService(folder);
  await ada.signIn();
});

async function datasetOf(path: string, body: object): Promise<string> {
  const { datasetKey } = await ada.ask<{ datasetKey: string }>("POST", path, body);
  const end = await ada.until<{ status: string; errorReason: string | null }>(
    `/api/v1/datasets/${datasetKey}`,
    ({ status }) => /COMPLETED|FAILED/.test(status),
  );
  expect([end.status, end.errorReason]).toEqual(["COMPLETED", null]);
  return datasetKey;
}

/** The model of a training, and what the job and its progress say of it. */
async function trained(datasetKey: string, settings: object) {
  const started = { scalingFactor: 2, ...settings };
  const { trainingJobKey } = await ada.ask<{ trainingJobKey: string }>(
    "POST",
    `/api/v1/training/datasets/${datasetKey}`,
    started,
  );
  const path = `/api/v1/training/${trainingJobKey}`;
  const job = await ada.until<TrainingDetail>(path, ({ status }) => /COMPLETED|FAILED|TIMED_OUT/.test(status));
  const progress = await ada.ask<TrainingProgress>("GET", `${path}/progress`);
  const model = await ada.ask<ModelDetail>("GET", `/api/v1/models/${job.modelKey}`);
  const details = await ada.ask<ModelDetails>("GET", `/api/v1/models/${job.modelKey}/details`);
  expect([job.verdict, progress.verdict, details.verdict]).toEqual([model.verdict, model.verdict, model.verdict]);
  return { job, details, verdict: model.verdict! };
}

function machineForm(): FormData {
  const form = formOf({ name: "machines", file: new File([machineTable()], "machines.csv", { type: "text/csv" }) });
  return form;
}

test("judged at random the figure flatters, and the verdict says so; judged by machine it holds", async () => {
  const datasetKey = await datasetOf("/api/v1/datasets", machineForm());

  const random = await trained(datasetKey, {});
  expect(random.job.testPerformance).toBeGreaterThan(0.95);
  expect(random.verdict.judgedBy).toEqual({ kind: "random", groupColumn: null, timeColumn: null, groupCount: 0 });
  const [doubt] = random.verdict.doubts;
  // A look that a busy machine cuts off after ten seconds may not have come to the columns.
  const isNamed = random.verdict.isLookedAt || doubt!.code === "GROUPS_FLATTER";
  const named = { code: "GROUPS_FLATTER", columns: ["machine"], option: "--group machine" };
  expect(doubt).toMatchObject(isNamed ? named : { code: "FILE_ORDER_FLATTERS", columns: [] });
  expect(doubt!.level).toBe("serious");
  expect(doubt!.held!).toBeLessThan(0.75);

  const grouped = await trained(datasetKey, { groupColumn: "machine" });
  expect(grouped.job).toMatchObject({ groupColumn: "machine", keepKeyColumns: false });
  expect(grouped.job.testPerformance!).toBeLessThan(0.8);
  const { judgedBy, doubts } = grouped.verdict;
  expect(judgedBy).toEqual({ kind: "groups", groupColumn: "machine", timeColumn: null, groupCount: MACHINES });
  expect(doubts.map(({ code }) => code)).not.toContain("GROUPS_FLATTER");
  expect(grouped.details.columns.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);

  const refine = { groupColumn: "machine", withoutColumns: ["e"] };
  const { featureRefinementKey } = await ada.ask<{ featureRefinementKey: string }>(
    "POST",
    `/api/v1/feature-refinery/datasets/${datasetKey}`,
    refine,
  );
  const run = `/api/v1/feature-refinery/${featureRefinementKey}`;
  const { state } = await ada.until<{ state: string }>(`${run}/progress`, ({ state }) =>
    /COMPLETED|ERROR|TIMEOUT/.test(state),
  );
  expect(state).toBe("REFINEMENT_COMPLETED");
  const { columns, keptColumns, keptAccuracy } = await ada.ask<RefinementAnswer>("GET", `${run}/result`);
  const reasons = new Map(columns.map(({ name, reason }) => [name, reason]));
  expect([reasons.get("machine"), reasons.get("e")]).toEqual(["KEPT_FOR_JUDGING", "LEFT_OUT"]);
  expect(keptColumns).toContain("machine");
  expect(keptColumns).not.toContain("e");
  expect(keptAccuracy!).toBeLessThan(0.85);

  const refinedKey = await datasetOf(`/api/v1/datasets/feature-refinery/${featureRefinementKey}`, { name: "refined" });
  const refined = await trained(refinedKey, {});
  expect(refined.job.groupColumn).toBe("machine");
  expect(refined.verdict.judgedBy.kind).toBe("groups");
  // Thirteen machines are held out: chance alone moves this figure by more than ten points.
  expect(refined.job.testPerformance!).toBeLessThan(0.9);

  for (const header of [keptColumns, columns.map(({ name }) => name)]) {
    const form = new FormData();
    form.append("_file", new Blob([`${header.join(",")}\n${header.map(() => "1").join(",")}\n`]), "new.csv");
    const query = `modelKey=${refined.job.modelKey}&filterColumns=true`;
    const { predictionKey } = await ada.ask<{ predictionKey: string }>("POST", `/api/v1/predictions?${query}`, form);
    const { status } = await ada.until<{ status: string }>(
      `/api/v1/predictions/${predictionKey}/progress`,
      ({ status }) => /COMPLETED|FAILED|TIMEOUT/.test(status),
    );
    expect([header, status]).toEqual([header, "COMPLETED"]);
  }
}, 300_000);
