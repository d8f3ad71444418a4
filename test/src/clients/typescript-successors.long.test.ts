// Successors by the client for TypeScript: asked for, waited for, compared, promoted and taken back.
import { expect, test } from "bun:test";
import type { Successor as ServerSuccessor } from "../../../src/api/successors/successor-answer.ts";
import type { SuccessorAbout } from "../../../src/clients/typescript/answers.ts";
import { Cupel, type Model, type Prediction, type Row } from "../../../src/clients/typescript/cupel.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";

/** The client's type says all that the server's type says: the compiler checks it. */
export type Agreed = ServerSuccessor extends SuccessorAbout ? true : never;
export const AGREED: Agreed = true;

const live = await startService();

/** The label follows `isTurned ? not sign : sign` of `x`. */
function tableOf(count: number, isTurned: boolean) {
  return Array.from({ length: count }, (_, at) => {
    const row = { x: ((at * 37) % 101) - 50, noise: (at * 13) % 17 };
    return { ...row, label: row.x > 0 !== isTurned ? "yes" : "no" };
  });
}

async function predictLabelled(model: Model, rows: ReturnType<typeof tableOf>): Promise<Prediction> {
  const prediction = await model.predict(["x,noise", ...rows.map(({ x, noise }) => `${x},${noise}`), ""].join("\n"));
  await prediction.outcomes.add(rows.map(({ label }) => label));
  return prediction;
}

test("learn what turned, are compared, and answer at the first model's address until taken back", async () => {
  const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
  const model = await cupel.train(tableOf(200, false), { label: "label", scalingFactor: 0 });
  await expect(cupel.trainSuccessor(model)).rejects.toMatchObject({ code: "LABELS_UNFIT", status: 409 });
  const later = tableOf(300, true);
  const prediction = await predictLabelled(model, later);

  const made = await cupel.successors.start(model, { oldRows: 0, predictions: [prediction] });
  expect(() => made.comparison).toThrow("Both models are not compared yet. Call wait().");
  for (const early of [made.model(), made.promote()]) await expect(early).rejects.toMatchObject({ code: "NOT_READY" });
  const stages: string[] = [];
  await made.wait({ onProgress: ({ stage, share, key }) => stages.push(`${stage} ${share} ${key === made.key}`) });
  expect(stages.at(-1)).toBe("comparing 1 true");
  expect(stages).toContain("training null true");
  expect(made.comparison).toMatchObject({ outcome: "CHALLENGER_BETTER", rowCount: 90 });
  expect(made.about).toMatchObject({ learnedRows: 210, keptRows: 90, promote: "BY_HAND" });
  expect((await made.champion()).key).toBe(model.key);

  const row: Row = { x: 40, noise: 3 };
  const answer = async (asked = model) => (await asked.predict([row]))[0]!.label;
  const seen = [await answer()];
  seen.push(String((await made.promote()).about.isAnswering), await answer());
  seen.push(String((await made.takeBack()).about.isAnswering), await answer(), await answer(await made.model()));
  expect(seen).toEqual(["yes", "true", "no", "false", "yes", "no"]);
  const keys = async () => (await Array.fromAsync(cupel.successors.of(model))).map(({ key }) => key);
  expect(await keys()).toEqual([made.key]);
  expect((await cupel.successors.get(made.key)).about).toEqual(made.about);

  await made.delete();
  expect(await keys()).toEqual([]);
  await expect(made.wait()).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
});

test("end with a problem where nothing comes of them", async () => {
  const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
  const model = await cupel.train(tableOf(200, false), { label: "label", scalingFactor: 0 });
  // A file that came twice counts once, which only the joining finds out.
  for (const _ of [1, 2]) await predictLabelled(model, tableOf(60, true));
  const detail = expect.stringMatching(/^There are 60 labelled rows/);
  const stages: string[] = [];
  const failing = cupel.trainSuccessor(model, { onProgress: ({ stage }) => stages.push(stage) });
  await expect(failing).rejects.toMatchObject({ code: "SUCCESSOR_FAILED", status: 0, detail });
  expect(new Set(stages)).toEqual(new Set(["joining", "comparing"]));
});

test("take no option that there is not", async () => {
  const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
  const model = await cupel.train(tableOf(200, false), { label: "label", scalingFactor: 0 });
  await predictLabelled(model, tableOf(300, true));
  const made = await cupel.successors.start(model);
  const odd: object = { sgnal: undefined };
  const calls = [
    ...[() => cupel.trainSuccessor(model, odd), () => cupel.successors.start(model, odd)],
    ...[() => Array.fromAsync(cupel.successors.of(model, odd)), () => cupel.successors.get(made.key, odd)],
    ...[() => made.look(odd), () => made.wait(odd), () => made.champion(odd), () => made.takeBack(odd)],
    () => made.delete(odd),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(/^There is no option sgnal\. /);
  await made.delete();
});
