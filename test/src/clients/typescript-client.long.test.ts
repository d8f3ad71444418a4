// The client for TypeScript against the whole service: everything that a program does with it, and links that break.
import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatasetRecord } from "../../../src/api/datasets/datasets.ts";
import type { ModelDetail as ServerModel } from "../../../src/api/models/models.ts";
import type { PredictionOutcomesAnswer } from "../../../src/api/predictions/outcomes.ts";
import type { PredictionRecord } from "../../../src/api/predictions/prediction-files.ts";
import type { ScoredRows } from "../../../src/api/predictions/prediction-rows.ts";
import type { RefinementItem } from "../../../src/api/refinements/feature-refinery.ts";
import type { RefinementProgress as ServerRefining } from "../../../src/api/refinements/refinement-progress.ts";
import type { RefinementAnswer } from "../../../src/api/refinements/refinement-result.ts";
import type { TrainingDetail } from "../../../src/api/training/training.ts";
import type { TrainingProgress as ServerTraining } from "../../../src/api/training/training-progress.ts";
import type { OwnModel, OwnPrediction, OwnTraining } from "../../../src/api/users/own-lists.ts";
import type * as Answers from "../../../src/clients/typescript/answers.ts";
import {
  Cupel,
  CupelProblem,
  type Dataset,
  type Model,
  type Progress,
  type Row,
} from "../../../src/clients/typescript/cupel.ts";
import { LARGE_BYTES } from "../../../src/clients/typescript/upload.ts";
import { startBreakingLink } from "../../support/breaking-link.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { knownTable } from "../../support/refinery.ts";

/** What the server's types say, the client's say too: the compiler checks it. */
type Holds<Given extends Asked, Asked> = Given;
export type Agreed = [
  Holds<DatasetRecord, Answers.DatasetDetail>,
  Holds<RefinementItem, Answers.RefinementAbout>,
  Holds<ServerRefining, Answers.RefinementProgress>,
  Holds<RefinementAnswer, Answers.RefinementResult>,
  Holds<TrainingDetail, Answers.TrainingAbout>,
  Holds<OwnTraining, Answers.TrainingAbout>,
  Holds<ServerTraining, Answers.TrainingProgress>,
  Holds<ServerModel, Answers.ModelDetail>,
  Holds<OwnModel, Answers.ModelAbout>,
  Holds<PredictionRecord, Answers.PredictionDetail>,
  Holds<OwnPrediction, Answers.PredictionAbout>,
  Holds<PredictionOutcomesAnswer, Answers.PredictionOutcomes>,
  Holds<ScoredRows["predictions"][number], Answers.RowPrediction>,
];

const QUICK = { scalingFactor: 0 };
const folder = testFolder(() => proxy.close());
const trainPath = join(folder, "train.csv");
const NEW_ROWS = knownTable(50, 3);
writeFileSync(trainPath, knownTable(400, 1));
const live = await startService("/cupel");
const proxy = await startBreakingLink(live.port);
const cupel = new Cupel(live.address, { key: live.keyWith("read", "write", "predict") });
let dataset: Dataset;
let model: Model;

beforeAll(async () => {
  dataset = await cupel.datasets.create(trainPath, { label: "label", name: "customers" });
  model = await cupel.train(dataset, QUICK);
}, 120_000);

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function problemOf(work: Promise<unknown>): Promise<CupelProblem> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof CupelProblem) return thrown;
  throw thrown ?? new Error("nothing was thrown");
}

describe("what people do", () => {
  test("a model is trained from a file, and says how good it is", async () => {
    const { versions, verdict } = await model.look();
    expect(versions[0]).toMatchObject({ version: 1, champion: true, testPerformance: model.about.achievedPerformance });
    expect(verdict?.judgedBy.kind).toBe("random");
    expect((await dataset.look()).columns.map(({ name }) => name)).toContain("strong");
  });

  test("progress is told stage by stage, with the keys of what is made", async () => {
    const told: Progress[] = [];
    const rows = Array.from({ length: 60 }, (_, at) => ({ size: at % 30, kind: at % 30 < 15 ? "a" : 'b "or", c' }));
    const trained = await cupel.train(rows, { ...QUICK, label: "kind", onProgress: (progress) => told.push(progress) });
    expect([...new Set(told.map(({ stage }) => stage))]).toEqual(["uploading", "reading", "training"]);
    expect(told.at(-1)).toMatchObject({ stage: "training", share: 1, key: trained.about.trainingJobKey });
    expect(await trained.predict([{ size: 3 }, { size: 25 }])).toMatchObject([{ label: "a" }, { label: 'b "or", c' }]);
    await trained.delete();
    expect(await problemOf(trained.look())).toMatchObject({ code: "NOT_FOUND", status: 404 });
  });

  test("columns are chosen first where it is asked for", async () => {
    const refinement = await cupel.refine(dataset);
    const { keptColumns, columns } = await refinement.result();
    expect(columns.find(({ name }) => name === "always")).toMatchObject({ decision: "REMOVE" });
    expect((await refinement.file().text()).split("\n")[0]).toBe([...keptColumns, "label"].join(","));
    const refined = await cupel.train(refinement, QUICK);
    const { about } = await cupel.datasets.get(refined.about.datasetKey);
    expect(about).toMatchObject({ source: "REFINEMENT", featureRefinementKey: refinement.key });
    await refinement.delete();
  }, 120_000);

  test("rows are scored at once, in their order, in as many requests as it takes", async () => {
    const [strong = "", weak = ""] = ["0.9", "w3"];
    const rows: Row[] = Array.from({ length: 1_501 }, (_, at) => ({
      ...{ strong: at === 1_500 ? 0.99 : 0.01, weak, left: "l0", right: "r1" },
      ...{ copy: null, id: 1, noise1: strong, noise2: "a", noise3: true, always: "same" },
    }));
    const answers = await model.predict(rows, { reasons: 1 });
    expect(answers).toHaveLength(1_501);
    expect(answers[0]).toEqual(answers[1_499]!);
    expect(answers[1_500]!.probabilities["yes"]).toBeGreaterThan(answers[0]!.probabilities["yes"]!);
    expect(answers[0]!.reasons).toHaveLength(1);
    expect(await model.predict([])).toEqual([]);
  });

  test("a row to begin with is one that the model takes", async () => {
    const row = await model.example();
    const names = Object.keys(row);
    expect(names).toContain("strong");
    expect(names).not.toContain("label");
    expect((await model.predict([row]))[0]!.label).toMatch(/^(yes|no)$/);
  });

  const newPath = join(folder, "new.csv");
  const tables = {
    "a path": () => {
      writeFileSync(newPath, NEW_ROWS);
      return newPath;
    },
    "a text": () => NEW_ROWS,
    "a blob": () => new Blob([NEW_ROWS]),
    "a stream": () => new Blob([NEW_ROWS]).stream() as ReadableStream<Uint8Array>,
  };
  test.each(Object.entries(tables))("a file is scored: %s", async (_, tableOf) => {
    const prediction = await model.predict(tableOf(), { reasons: 2 });
    const [header, ...lines] = (await prediction.file().text()).trimEnd().split("\n");
    const rows = await listed(prediction.rows());
    expect(rows).toHaveLength(50);
    expect(lines.map((line) => line.split(",")[0])).toEqual(rows.map(({ row }) => row["id"]!));
    expect(rows[0]!.probabilities[rows[0]!.label]).toBe(rows[0]!.confidence);
    expect(rows[0]!.reasons!.length).toBeGreaterThan(0);
    expect(header).toContain("reason_2");
    await prediction.delete();
    expect((await problemOf(prediction.look())).code).toBe("NOT_FOUND");
  });

  test("a result is saved whole or not at all", async () => {
    const prediction = await model.predict(NEW_ROWS);
    const path = join(folder, "result.csv");
    await prediction.file().save(path);
    expect(readFileSync(path, "utf8")).toBe(await prediction.file().text());
    await prediction.delete();
    await expect(prediction.file().save(path)).rejects.toBeInstanceOf(CupelProblem);
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(52);
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });

  test("labels that come later are told, by key, as a list or as a file, and taken back", async () => {
    const prediction = await model.predict(NEW_ROWS);
    const [header = "", ...lines] = NEW_ROWS.trimEnd().split("\n");
    const [idAt, labelAt] = [header.split(",").indexOf("id"), header.split(",").indexOf("label")];
    const known = lines.map((line) => line.split(",")).map((cells) => ({ id: cells[idAt]!, label: cells[labelAt]! }));
    const predicted = (await listed(prediction.rows())).map(({ label }) => label);
    const rightOf = (rows: readonly number[]) => rows.filter((at) => predicted[at] === known[at]!.label).length;
    const all = known.map((_, at) => at);
    expect((await prediction.outcomes.get()).outcomes).toBeNull();

    const shares: (number | null)[] = [];
    const tenLabels = known.slice(0, 10).map(({ id, label }) => ({ truth: label, id }));
    const byKey = await prediction.outcomes.add([...tenLabels, { truth: "yes", id: "of another file" }], {
      ...{ keyColumn: "id", labelColumn: "truth", onProgress: ({ share }) => shares.push(share) },
    });
    expect(byKey.outcomes).toMatchObject({
      ...{ rowCount: 10, rightCount: rightOf(all.slice(0, 10)), withoutLabel: 40, unmatched: 1, keyColumn: "id" },
    });
    expect(shares).toEqual([0, 1]);

    const asList = await prediction.outcomes.add(known.map(({ label }, at) => (at === 0 ? null : label)));
    expect(asList.outcomes).toMatchObject({ rowCount: 49, rightCount: rightOf(all.slice(1)), withoutLabel: 1 });
    const asFile = await prediction.outcomes.add(NEW_ROWS);
    expect(asFile.outcomes).toMatchObject({ rowCount: 50, rightCount: rightOf(all), labelColumn: null });
    expect(asFile.ofVersion).toMatchObject({ predictionCount: 1, rowCount: 50 });
    expect(await prediction.outcomes.get()).toEqual(asFile);

    const short = await problemOf(prediction.outcomes.add(["yes", "no"]));
    expect(short).toMatchObject({ code: "FILE_UNUSABLE", status: 400 });
    expect((await problemOf(prediction.outcomes.add([]))).code).toBe("UNUSABLE_TABLE");
    expect(await prediction.outcomes.get()).toEqual(asFile);
    await prediction.outcomes.delete();
    expect((await prediction.outcomes.get()).outcomes).toBeNull();
    await prediction.delete();
  });

  test("models leave as files", async () => {
    const bytes = await model.file().bytes();
    expect(new TextDecoder().decode(bytes.subarray(0, 5))).toBe("CUPEL");
    expect((await model.export("onnx").bytes()).length).toBeGreaterThan(100);
    expect(model.export("onnx").name).toBe(`${model.key}-v1.onnx`);
    expect(await model.report().text()).toContain("<!doctype html>");
    expect(() => model.export("pmml" as "onnx")).toThrow(CupelProblem);
  });

  test("lists come page by page, and in the order of the server", async () => {
    for (let at = 0; at < 103; at++) {
      const body = JSON.stringify({ name: `many ${at}` });
      const headers = { authorization: `Bearer ${live.keyWith("write")}`, "content-type": "application/json" };
      await fetch(`${live.address}/api/v1/datasets`, { method: "POST", body, headers });
    }
    const all = await listed(cupel.datasets.list({ search: "many" }));
    expect(all.map(({ about }) => about.name)).toEqual(Array.from({ length: 103 }, (_, at) => `many ${102 - at}`));
    expect(await cupel.datasets.count({ search: "many" })).toBe(103);
    expect((await listed(cupel.models)).map(({ key }) => key)).toContain(model.key);
    expect((await listed(cupel.trainings)).map(({ key }) => key)).toContain(model.about.trainingJobKey);
    const training = await cupel.trainings.get(model.about.trainingJobKey);
    expect((await training.wait()).key).toBe(model.key);
  });
});

describe("what goes wrong", () => {
  test("has a code, and the place in the file", async () => {
    expect(await problemOf(cupel.datasets.create(trainPath, { name: "customers" }))).toMatchObject({
      ...{ code: "NAME_TAKEN", status: 409, requestId: expect.any(String) },
    });
    const missing = await problemOf(model.predict("strong,weak\n1,2\n"));
    expect(missing).toMatchObject({ code: "COLUMN_MISMATCH", status: 400, field: "file" });
    const short = await problemOf(model.predict(`${NEW_ROWS}1,2,3\n`));
    expect(short).toMatchObject({ code: "PREDICTION_FAILED", status: 0, detail: expect.stringContaining("Line 52") });
    const formless = await problemOf(cupel.models.get("of no form"));
    expect(formless).toMatchObject({ code: "VALIDATION_FAILED", field: "modelKey", column: null });
  });

  test("a table that cannot be used leaves no dataset behind", async () => {
    const before = await cupel.datasets.count();
    const problem = await problemOf(cupel.datasets.create("a,b\n1,2\n2,3\n3,4\n", { label: "c" }));
    expect(problem).toMatchObject({ code: "DATASET_FAILED", detail: expect.stringContaining("LABEL_NOT_FOUND") });
    expect(await cupel.datasets.count()).toBe(before);
    const none = [join(folder, "none.csv"), []] as const;
    for (const table of none) expect((await problemOf(cupel.train(table))).code).toBe("UNUSABLE_TABLE");
  });

  test("a key may do what it is for", async () => {
    const reader = new Cupel(live.address, { key: live.keyWith("read") });
    expect(await problemOf(reader.train(trainPath))).toMatchObject({ code: "FORBIDDEN", status: 403 });
    const stranger = new Cupel(live.address, { key: "cupel_nobody" });
    expect((await problemOf(stranger.models.count())).status).toBe(401);
    expect(() => new Cupel(live.address, {})).toThrow("Give a key, or user and password.");
    expect(() => new Cupel("cupel.example.org", { key: "x" })).toThrow("must begin with http:// or https://");
  });

  test("a login is renewed when the server refuses its token, once for all requests", async () => {
    const logins: string[] = [];
    let isSpoilt = false;
    const signed = new Cupel(live.address, {
      ...{ user: USER, password: PASSWORD },
      fetch: (address, request) => {
        if (address.endsWith("/api/login")) logins.push(address);
        const headers = new Headers(request.headers);
        if (isSpoilt && logins.length === 1) headers.set("authorization", "Bearer of.yester.day");
        return fetch(address, { ...request, headers });
      },
    });
    await Promise.all([signed.models.count(), signed.datasets.count()]);
    expect(logins).toHaveLength(1);
    isSpoilt = true;
    await Promise.all([signed.models.count(), signed.datasets.count()]);
    expect(logins).toHaveLength(2);
    const wrong = new Cupel(live.address, { user: USER, password: "not this one" });
    expect((await problemOf(wrong.models.count())).code).toBe("LOGIN_FAILED");
  });

  test("a signal ends the waiting, not the server's work", async () => {
    const ending = new AbortController();
    const reason = new Error("enough");
    let key = "";
    const waiting = cupel.train(dataset, {
      ...QUICK,
      signal: ending.signal,
      onProgress: (progress) => {
        key = progress.key;
        ending.abort(reason);
      },
    });
    await expect(waiting).rejects.toBe(reason);
    const again = await (await cupel.trainings.get(key)).wait();
    expect(again.about.trainingJobKey).toBe(key);
    await expect(model.file().bytes({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("an option that there is not", () => {
  const odd: object = { sgnal: undefined };

  test("is refused before anything is asked, whatever takes it", async () => {
    const asked: string[] = [];
    const other = new Cupel(live.address, {
      key: live.keyWith("read", "write", "predict"),
      fetch: (address, request) => {
        asked.push(address);
        return fetch(address, request);
      },
    });
    const [training] = await listed(other.trainings);
    const own = await other.models.get(model.key);
    const set = await other.datasets.get(dataset.key);
    const refinement = await other.refinements.start(set);
    const prediction = await own.send(new Blob([NEW_ROWS]));
    asked.length = 0;
    const calls: (() => unknown)[] = [
      ...[() => other.train(trainPath, odd), () => other.refine(trainPath, odd), () => other.datasets.create("", odd)],
      ...[() => other.trainings.start(set, odd), () => training!.wait(odd), () => training!.look(odd)],
      ...[() => training!.cancel(odd), () => other.refinements.start(set, odd), () => refinement.wait(odd)],
      ...[() => other.refinements.startOn(NEW_ROWS, NEW_ROWS, odd), () => refinement.look(odd)],
      ...[() => refinement.result(odd), () => refinement.dataset(odd), () => refinement.cancel(odd)],
      ...[() => refinement.delete(odd), () => set.look(odd), () => set.wait(odd), () => set.delete(odd)],
      ...[() => own.look(odd), () => own.example(odd), () => own.predict([{}], odd), () => own.predict(NEW_ROWS, odd)],
      ...[() => own.send(NEW_ROWS, odd), () => own.choose(1, odd), () => own.delete(odd), () => own.file(odd)],
      ...[() => own.export("onnx", odd), () => own.report(odd), () => prediction.look(odd), () => prediction.wait(odd)],
      ...[() => prediction.file(odd), () => listed(prediction.rows(odd)), () => prediction.delete(odd)],
      ...[() => prediction.outcomes.add(NEW_ROWS, odd), () => prediction.outcomes.get(odd)],
      ...[() => prediction.outcomes.delete(odd), () => own.file().bytes(odd), () => own.file().save("x", odd)],
      ...[() => listed(other.models.list(odd)), () => other.models.count(odd), () => other.models.get("x", odd)],
      () => new Cupel(live.address, { key: "x", ...odd }),
    ];
    for (const call of calls) {
      const thrown = await Promise.resolve()
        .then(call)
        .catch((error: unknown) => error);
      expect([String(call), thrown]).toEqual([String(call), expect.any(TypeError)]);
      expect((thrown as TypeError).message).toStartWith("There is no option sgnal. ");
    }
    expect(asked).toEqual([]);
    await refinement.cancel();
    await prediction.wait();
    await prediction.delete();
  }, 120_000);

  test("is told beside the one that was meant", async () => {
    const grouped = cupel.train(trainPath, { group: "id" } as object);
    await expect(grouped).rejects.toThrow(new TypeError("There is no option group. Did you mean groupColumn?"));
  });
});

test("errors that are not the server's come as they are", async () => {
  await expect(model.file().save(join(folder, "none", "x.cupel"))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(model.look({ signal: AbortSignal.timeout(0) })).rejects.toMatchObject({ name: "TimeoutError" });
});

describe("a link that breaks", () => {
  const over = () => new Cupel(`${proxy.origin}/cupel`, { key: live.keyWith("read", "write", "predict") });
  const askedWith = (method: string) => proxy.asked.filter((line) => line.startsWith(method));
  /** Cuts the first requests whose lines fit. */
  const cutFirst = (pattern: RegExp, ...cuts: Parameters<typeof Array.of<"before" | "answer" | number>>) => {
    proxy.asked.length = 0;
    proxy.cut = (request) => (pattern.test(request) ? (cuts.shift() ?? null) : null);
  };

  test("is asked again, with one key for all attempts of what creates something", async () => {
    cutFirst(/^POST \S+\/datasets$/, "before");
    const keys: (string | null)[] = [];
    const heard = new Cupel(`${proxy.origin}/cupel`, {
      key: live.keyWith("read", "write"),
      fetch: (address, request) => {
        if (request.method === "POST") keys.push(new Headers(request.headers).get("idempotency-key"));
        return fetch(address, request);
      },
    });
    const made = await heard.datasets.create(trainPath);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]!]);
    expect(made.about).toMatchObject({ status: "COMPLETED", labelColumn: "label", rowCount: 400 });
    await made.delete();
  });

  test("what was made is not made again where only the answer was lost", async () => {
    const far = over();
    cutFirst(/^POST /, "answer", "answer");
    const made = await far.datasets.create(trainPath, { name: "made once" });
    expect(askedWith("POST")).toHaveLength(3);
    cutFirst(/^POST /, "answer", "answer");
    const trained = await far.train(made, QUICK);
    expect(askedWith("POST")).toHaveLength(3);
    cutFirst(/^POST /, "answer", "answer");
    await trained.predict(NEW_ROWS);
    expect(askedWith("POST")).toHaveLength(3);
    const ofIt = <Item extends { about: { datasetKey: string } }>(items: readonly Item[]) =>
      items.filter(({ about }) => about.datasetKey === made.key);
    expect(ofIt(await listed(far.trainings))).toHaveLength(1);
    expect(ofIt(await listed(far.predictions))).toHaveLength(1);
    expect(await far.datasets.count({ search: "made once" })).toBe(1);
  });

  test("an upload whose answer is lost is no failure", async () => {
    cutFirst(/^PUT /, "before", "answer", "answer");
    const made = await over().datasets.create(trainPath, { name: "over a bad link" });
    expect(made.about).toMatchObject({ status: "COMPLETED", rowCount: 400 });
    expect(askedWith("PUT")).toHaveLength(4);
  });

  test("a large file goes on where it was, into a dataset and into a prediction", async () => {
    const large = knownTable(180_000, 5);
    expect(large.length).toBeGreaterThan(LARGE_BYTES);
    cutFirst(/^PATCH /, "before", "answer");
    const far = over();
    const made = await far.datasets.create(large);
    expect(made.about).toMatchObject({ rowCount: 180_000, sizeBytes: large.length });
    expect(askedWith("PUT")).toEqual([]);
    cutFirst(/^PATCH /, "answer");
    const prediction = await (await far.models.get(model.key)).predict(large);
    expect(prediction.about).toMatchObject({ status: "COMPLETED", rowCount: 180_000 });
    expect(askedWith("PATCH").length).toBeGreaterThan(1);
    await prediction.delete();
    await made.delete();
  }, 120_000);

  test("a download goes on where it was", async () => {
    const whole = await model.file().bytes();
    cutFirst(/^GET \S+\/file$/, Math.floor(whole.length / 2), "before", 700, "answer");
    const far = await over().models.get(model.key);
    expect(Buffer.from(await far.file().bytes()).equals(Buffer.from(whole))).toBe(true);
    expect(proxy.asked.filter((line) => line.endsWith("/file"))).toHaveLength(5);
  });

  test("nobody waits for ever", async () => {
    proxy.cut = () => "before";
    const problem = await problemOf(new Cupel(proxy.origin, { key: "cupel_any", retrySeconds: 0 }).models.count());
    expect(problem).toMatchObject({ code: "UNREACHABLE", status: 0, detail: expect.stringContaining(proxy.origin) });
    proxy.cut = () => null;
  });
});
