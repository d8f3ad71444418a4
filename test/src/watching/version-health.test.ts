// A stretch that is over is judged once and kept; rows that are added to it
// later, and another threshold, have it judged anew.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openStateFolder } from "../../../data/files/state-folder.ts";
import { findModelVersion } from "../../../data/models.ts";
import { addWatchCounts } from "../../../data/watch-counts.ts";
import { packModel } from "../../../engine/model/model-file.ts";
import { COLUMNS_TOLD, latestHealth, versionHealth } from "../../../src/watching/version-health.ts";
import { addDataset, addModel, later, NOON, openTestState, type TestState } from "../../data/state.ts";
import { penguinCounts, watchedPenguins } from "../../support/watched-model.ts";

const DAY = 86_400;
const MODEL = watchedPenguins();
let world: TestState;
let id: { modelKey: string; version: number; filePath: string; createdOn: string };
let path: string;

beforeEach(() => {
  world = openTestState();
  const { database, folder } = world;
  const { key: modelKey } = addModel(database, addDataset(database, world.ann));
  const { filePath } = findModelVersion(database, modelKey, 1)!;
  id = { modelKey, version: 1, filePath, createdOn: NOON.toISOString() };
  path = openStateFolder(folder).locate(filePath);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, packModel(MODEL));
});
afterEach(() => world.close());

const add = (days: number, isShifted = false) =>
  addWatchCounts(world.database, id, penguinCounts(isShifted), later(days * DAY));

async function health(days: number) {
  const services = { database: world.database, state: openStateFolder(world.folder) };
  const [kept, fresh] = [
    await versionHealth(services, id, later(days * DAY), 3),
    latestHealth(services, id, later(days * DAY), 3),
  ];
  // The round of the day judges without what was kept.
  expect(kept.state).toBe(fresh.state);
  const newest = fresh.stretches[0]!;
  expect(kept.stretches.find(({ from }) => from === newest.from)).toEqual({
    ...newest,
    columns: newest.columns!.slice(0, COLUMNS_TOLD),
  });
  return kept;
}

test("what is kept is what was judged, until rows are added to a day that is over", async () => {
  add(0);
  add(1);
  const first = await health(2);
  expect(first.stretches.map(({ from, isShifted }) => [from, isShifted])).toEqual([
    [NOON.toISOString().slice(0, 10), false],
    [later(DAY).toISOString().slice(0, 10), false],
  ]);
  const again = await health(2);
  expect(again).toEqual(first);
  for (const [at, stretch] of again.stretches.entries()) expect(stretch).toBe(first.stretches[at]!);
  add(1, true);
  const late = await health(2);
  expect(late.state).toBe("SHIFTED");
  expect(late.stretches[0]).toBe(first.stretches[0]!);
});

test("today is not kept", async () => {
  add(0);
  expect((await health(0)).stretches[0]).toMatchObject({ isOver: false, rowCount: 280 });
  add(0, true);
  expect((await health(0)).stretches[0]).toMatchObject({ isOver: false, rowCount: 560 });
  expect((await health(1)).state).toBe("SHIFTED");
});

test("under another threshold decisions are compared no more", async () => {
  add(0);
  expect((await health(1)).stretches[0]!.decisions).not.toBeNull();
  writeFileSync(path, packModel({ ...MODEL, trainedClassWeights: null }));
  expect((await health(1)).stretches[0]!.decisions).toBeNull();
});
