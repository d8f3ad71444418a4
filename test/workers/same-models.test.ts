// The same seed gives the same plan, models, probabilities and reasons on the bundled tables, to the last bit.
import { describe, expect, test } from "bun:test";
import { unpackArrays } from "../../engine/arrays/array-file.ts";
import { explainerOf } from "../../engine/explain/explanations.ts";
import { type ModelSettings, scoreModel } from "../../engine/families/algorithms.ts";
import { MODEL_FORMAT } from "../../engine/model/model-file.ts";
import { type AttemptSpec, planAttempts } from "../../engine/search/attempts.ts";
import { openTraining } from "../../engine/search/open-training.ts";
import { assemble, basesOf, confirm, type FoundSettings } from "../../engine/search/refit.ts";
import type { StackBase } from "../../engine/search/stack-votes.ts";
import { isBase, type TrainingTask } from "../../engine/search/training-task.ts";
import { splitByPart } from "../../engine/splits/holdout.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import { codeTable } from "../../engine/table/buckets.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { runAttempt, runFit, runPack, runStack } from "../../workers/train.ts";
import { fixtureTable } from "../support/in-process.ts";
import { aboutModel } from "../support/model-about.ts";
import { fitWholeStack } from "../support/stack-fits.ts";

/** The part that judges the re-split. */
const A_FIFTH = 1;
const SEED = 1;
const BUCKETS = 20;
const FEW_TREES = 6;
const EXPLAINED_ROWS = 3;

/**
 * By table: the plan, then each attempt's scores and refitted model. A change here means
 * that published models change: say so in CHANGELOG.md.
 */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  penguins: {
    1: "2fgfugg6jj5hu",
    2: "1sagqs3atz1cu",
    3: "1oehjvgfdabu4",
    4: "1fkydyfburmyx",
    5: "10pjsnsvmazul",
    7: "2zfa3l90kwoxx",
    8: "3qzep30uph2z5",
    9: "3lldxu3mldao1",
    10: "1rul2s01mjols",
    11: "22x17b9m8q2qr",
    12: "k29vsp4py2c5",
    13: "1t7lndg7oh8q1",
    14: "6lnst69ebqiv",
    15: "24bswn1pbiajr",
    16: "1m2fkzjli2ak0",
    17: "1f7ysg9jmn9s8",
    18: "9hc12ae5v6oa",
    19: "19ss7b5ojqa82",
    20: "3c8om9ds8utsl",
    stack: "24kkgtv73rwlz",
    "stack with tables": "2dypkrlg1qrkz",
    plan: "2qruh9r0cz3yl",
  },
  credit_g: {
    1: "1psth2mhgpnyi",
    2: "220bbot4vehl",
    3: "2xtx0se8a51dc",
    4: "1dqt7yw1wut2q",
    5: "1rfw0hg4ghdeo",
    7: "ajuwyxpvi5b",
    8: "32hhdkrycp9t4",
    9: "3b5eevlaavy40",
    10: "1hnlasf09chnm",
    11: "4hy5a7ds01os",
    12: "xlu7h43vdhct",
    13: "194spg54ncot3",
    14: "1ksyle0p0znzb",
    15: "108zb0qjjau4s",
    16: "21rux9ba8np9a",
    17: "uh745a1oafw4",
    18: "15jtci7jz4fuq",
    19: "ms0nimam2pah",
    20: "1z6g64zcmew72",
    stack: "vvyffellzocw",
    "stack with tables": "3rkrsegf1gu1n",
    plan: "1ndlan1kexn1e",
  },
  churn: {
    1: "1m77ctlyh8q15",
    2: "3nhaki2opqkda",
    3: "2czcs3aog4ub2",
    4: "1v2peo8txwpie",
    5: "241e9vxoj4ms5",
    6: "20glp7s03uxmy",
    7: "ddt956kknbf1",
    9: "1h9xyg69afvu7",
    10: "1u8jou730nc1a",
    11: "33ebrudfhpi3r",
    12: "1oomqejv2srn0",
    13: "1kijqjn5xt86i",
    14: "2b9walnyzjdq9",
    15: "3ov958fox2fk2",
    16: "2za0olnhfcui3",
    17: "k9cbsqkr3ci4",
    18: "d35c2kf7jz5k",
    19: "27hq5yx00cgyu",
    20: "36l1okp52y1wz",
    plan: "1mokez583t3e8",
  },
  online_shoppers: {
    1: "3aio7zazwxm5f",
    2: "2y6qeufpzrw0a",
    3: "zaomtlrwod1n",
    4: "1p437lf472i06",
    5: "3kqf11zqmxgt3",
    6: "2vxk7424381kd",
    7: "2alruf3dt3ffd",
    10: "vkja8tvtaefu",
    11: "3o3cnkvm5vn37",
    12: "3kawny0hkdtuz",
    13: "zjvqr486sgzt",
    14: "1zk9n2ikmnh45",
    15: "3i87rcn2qfnwn",
    16: "1zouadmhowjh",
    17: "18dopvx2wtttj",
    18: "2f3fnraatw4ow",
    19: "1u9wgfe9x7vho",
    20: "3oi374xl04d5d",
    plan: "262t5rczt20s6",
  },
};

describe("the same seed gives the same", () => {
  test.each(["penguins", "credit_g"] as const)("attempts, stacks and models of %s", (name) => {
    const { source, task, plan } = openTable(name);
    const hashes: Record<string, string> = { plan: hashOf(plan) };
    const bases: StackBase[] = [];
    for (const spec of plan.map(small).filter(isBase)) {
      const answer = runAttempt(task, { spec, others: [] }, neverStop);
      if (answer.votes !== null) {
        const { attempt, buckets, seed } = spec;
        bases.push({ attempt, buckets, seed, settings: answer.settings as StackBase["settings"], votes: answer.votes });
      }
      hashes[spec.attempt] = hashOf([scoresOf(answer), essenceOf(task, source, foundBy(spec, answer), answer)]);
    }
    for (const withMains of [false, true]) {
      const answer = runStack(task, fitWholeStack(task, bases, withMains), neverStop);
      const found = foundBy({ ...plan[0]!, buckets: "fine" }, answer);
      hashes[withMains ? "stack with tables" : "stack"] = hashOf([
        scoresOf(answer),
        essenceOf(task, source, found, answer),
      ]);
    }
    expect(hashes).toEqual(EXPECTED[name]!);
  });

  test.each(["churn", "online_shoppers"] as const)("plan and fits of %s", (name) => {
    const { source, task, plan } = openTable(name);
    const hashes: Record<string, string> = { plan: hashOf(plan) };
    for (const spec of plan.map(small).filter(isBase)) {
      const { buckets, settings, seed } = spec;
      hashes[spec.attempt] = hashOf([arraysOf(task, source, { buckets, settings, seed, mains: null })]);
    }
    expect(hashes).toEqual(EXPECTED[name]!);
  });
});

function openTable(name: Parameters<typeof fixtureTable>[0]) {
  const source = readTable({ path: fixtureTable(name), label: null, missingMarkers: null }, neverStop);
  const { table } = source;
  const classCount = table.labels.length;
  const task = openTraining(table, { numberOfBuckets: BUCKETS, target: null, seed: SEED });
  const plan = planAttempts({
    learningRowCount: task.split.learning.length,
    featureCount: table.features.length,
    classCount,
    numberOfBuckets: BUCKETS,
    scalingFactor: 19,
    hasStacks: true,
    tunesWeights: true,
    seed: SEED,
  });
  return { source, task, plan };
}

/** The same attempt with few trees, members and iterations. */
function small(spec: AttemptSpec): AttemptSpec {
  return { ...spec, settings: smallSettings(spec.settings), rivals: spec.rivals.slice(0, 1) };
}

function smallSettings(settings: ModelSettings): ModelSettings {
  switch (settings.algorithm) {
    case "forest":
      return { ...settings, treeCount: FEW_TREES };
    case "refined forest":
      return { ...settings, forest: { ...settings.forest, treeCount: FEW_TREES }, maxIterations: 5 };
    case "additive logistic regression":
      return { ...settings, roundCount: FEW_TREES };
    case "k-dependence naive Bayes":
      return { ...settings, memberCount: 2 };
    case "logistic regression with interactions":
    case "logistic regression with a hidden layer":
    case "logistic regression":
      return { ...settings, maxIterations: 5 };
    default:
      return settings;
  }
}

function scoresOf({ settings, decider, votes, outOfFoldLogLoss, trainingAccuracy, holdout }: AttemptAnswer) {
  const { falseDecisions, logLoss, decisions } = holdout;
  const kept = votes && { outOfFold: votes.outOfFold, holdout: votes.holdout };
  return [settings, decider, kept, outOfFoldLogLoss, trainingAccuracy, falseDecisions, logLoss, decisions];
}

function foundBy({ buckets, seed }: AttemptSpec, { settings, mains }: AttemptAnswer): FoundSettings {
  return { buckets, settings, seed, mains: mains?.final ?? null };
}

/** The file's arrays, and what the model says of rows, of columns and of its reasons. */
function essenceOf(
  task: TrainingTask,
  source: ReturnType<typeof readTable>,
  found: FoundSettings,
  { decider }: AttemptAnswer,
) {
  const { table, parts } = task;
  const judgingPart = A_FIFTH;
  const { learning, judging } = splitByPart(parts, judgingPart);
  const bases = basesOf(found).map((base) => runFit(task, { base, judgingPart }, neverStop));
  const { model, bucketing } = assemble(task, learning, found, bases);
  const view = codeTable(table, bucketing);
  const explain = explainerOf(model);
  const reasons = [...judging.slice(0, EXPLAINED_ROWS)].map((row) =>
    explain(view.features.map(({ codes }) => codes[row]!)),
  );
  const confirmation = confirm(task, { found, bases, judgingPart, decider, measuresColumns: true }, neverStop);
  return [arraysOf(task, source, found), scoreModel(model, view, judging), confirmation, reasons];
}

function arraysOf(task: TrainingTask, source: ReturnType<typeof readTable>, found: FoundSettings) {
  const bases = basesOf(found).map((base) => runFit(task, { base, judgingPart: null }, neverStop));
  const about = aboutModel(source, found.settings, found.buckets);
  return [...unpackArrays(MODEL_FORMAT, runPack(task, { found, bases, about }).bytes).arrays];
}

/** Tells any two values apart, arrays by their bytes; what an algorithm is called does not count. */
function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (name, inner: unknown) => {
    if (name === "algorithm") return;
    if (!ArrayBuffer.isView(inner)) return inner;
    return Bun.hash(new Uint8Array(inner.buffer, inner.byteOffset, inner.byteLength)).toString(36);
  });
  return Bun.hash(text).toString(36);
}
