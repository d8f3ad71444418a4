// People at work on a server that may die: each does one thing after the
// other, and the ledger learns what was acknowledged.
import type { Random } from "../../engine/random.ts";
import { formOf } from "../support/form.ts";
import { randomTexts } from "../support/noise-text.ts";
import { knownTable } from "../support/refinery.ts";
import type { Client, Reply } from "./crash-client.ts";
import { type Ledger, type Thing, unfinished } from "./crash-ledger.ts";

const MOST_PAUSE_MS = 60;

interface World {
  client: Client;
  ledger: Ledger;
  random: Random;
  /** Jobs that wait or run beyond which people make no more: the server is to die at work, not before a heap of it. */
  mostWaiting: number;
}

/** Does one random thing after the other until `isOver`. Throws where an answer breaks a rule. */
export async function work(world: World, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const isBusy = unfinished(world.ledger).length >= world.mostWaiting;
    await (isBusy ? lookAround : ACTIONS[world.random.nextBelow(ACTIONS.length)]!)(world);
    await Bun.sleep(world.random.nextBelow(MOST_PAUSE_MS));
  }
}

/** Common things stand more than once. */
const ACTIONS: readonly ((world: World) => Promise<void>)[] = [
  uploadDataset,
  uploadDataset,
  sendDataset,
  refine,
  refine,
  useRefinement,
  useRefinement,
  train,
  train,
  train,
  predict,
  predict,
  predict,
  tellTruth,
  moveChampion,
  cancel,
  lookAround,
  lookAround,
  lookAround,
];

function uniqueName(random: Random): string {
  return `t${random.nextBelow(1_000_000_000)}`;
}

const withTexts = (random: Random) => random.nextBelow(2) === 0;

/** With a first column of texts or without. */
function someTable(random: Random, hasTexts = withTexts(random)): string {
  const rowCount = 200 + random.nextBelow(1_500);
  const seed = 1 + random.nextBelow(5);
  const table = knownTable(rowCount, seed);
  if (!hasTexts) return table;
  const texts = ["note", ...randomTexts(rowCount, seed)];
  const lines = table.trimEnd().split("\n");
  return `${lines.map((line, at) => `${texts[at]}${at > 0 ? ` so ${line.slice(-2)}` : ""},${line}`).join("\n")}\n`;
}

/**
 * The reply where it says that a thing was done. A refusal is an answer like others; a fault of the server's is none.
 */
function done(reply: Reply | null, status: number): Reply | null {
  if (reply !== null && reply.status >= 500 && reply.status !== 503) throw new Error(`broken rule: ${reply.text}`);
  return reply?.status === status ? reply : null;
}

async function uploadDataset({ client, ledger, random }: World): Promise<void> {
  const made = done(
    await client.ask("POST", "/api/v1/datasets", { name: uniqueName(random), numberOfBuckets: 10 }),
    201,
  );
  if (made === null) return;
  const thing = ledger.add("dataset", String(made.json["datasetKey"]), false);
  const info = made.json["datasetUploadInfo"] as { uploadUrl: string; extraHeaders: Record<string, string> };
  const headers = { ...info.extraHeaders, "content-type": "text/csv" };
  const sent = await client.ask("PUT", info.uploadUrl, someTable(random), headers);
  if (done(sent, 200) === null) return;
  thing.mustEnd = true;
  ledger.acknowledge("uploads to signed addresses");
}

async function sendDataset({ client, ledger, random }: World): Promise<void> {
  const form = formOf({
    name: uniqueName(random),
    numberOfBuckets: "10",
    file: new File([someTable(random)], "train.csv"),
  });
  const made = done(await client.ask("POST", "/api/v1/datasets", form), 201);
  if (made !== null) ledger.add("dataset", String(made.json["datasetKey"]), true);
}

async function refine({ client, ledger, random }: World): Promise<void> {
  const made = done(
    await client.ask("POST", "/api/v1/feature-refinery", { name: uniqueName(random), numberOfBuckets: 4 }),
    201,
  );
  if (made === null) return;
  const thing = ledger.add("refinement", String(made.json["featureRefinementKey"]), false);
  const hasTexts = withTexts(random);
  for (const target of made.json["uploadTargets"] as { url: string; requiredHeader: string }[]) {
    const [name, value] = target.requiredHeader.split(": ");
    const sent = await client.ask("PUT", target.url, someTable(random, hasTexts), {
      [name!]: value!,
      "content-type": "text/csv",
    });
    if (done(sent, 200) === null) return;
    ledger.acknowledge("uploads to signed addresses");
  }
  const started = await client.ask("POST", String(made.json["startUrl"]));
  if (started === null) return;
  if (done(started, 202) === null)
    throw new Error(`broken rule: a start after both uploads was refused: ${started.text}`);
  thing.mustEnd = true;
  ledger.acknowledge("refinements started");
}

async function useRefinement({ client, ledger, random }: World): Promise<void> {
  const refined = pick(ledger.ofKind("refinement", "REFINEMENT_COMPLETED"), random);
  if (refined === null) return;
  const body = { name: uniqueName(random), numberOfBuckets: 10 };
  const made = done(await client.ask("POST", `/api/v1/datasets/feature-refinery/${refined.key}`, body), 201);
  if (made !== null) ledger.add("dataset", String(made.json["datasetKey"]), true);
}

async function train({ client, ledger, random }: World): Promise<void> {
  const dataset = pick(ledger.ofKind("dataset", "COMPLETED"), random);
  if (dataset === null) return;
  const body = { scalingFactor: 2 + random.nextBelow(4), performanceThreshold: 0.5 + random.nextFloat() / 2 };
  const made = done(await client.ask("POST", `/api/v1/training/datasets/${dataset.key}`, body), 201);
  if (made !== null) ledger.add("training", String(made.json["trainingJobKey"]), true);
}

async function predict({ client, ledger, random }: World): Promise<void> {
  const model = pick([...ledger.models.values()], random);
  if (model === null) return;
  const form = formOf({ file: new File([someTable(random)], "new.csv") });
  const made = done(await client.ask("POST", `/api/v1/predictions/models/${model.key}`, form), 201);
  if (made !== null) ledger.add("prediction", String(made.json["predictionKey"]), true);
}

/** Each answer is said to have been right: the same labels again replace those that are there. */
async function tellTruth({ client, ledger, random }: World): Promise<void> {
  const prediction = pick(ledger.ofKind("prediction", "COMPLETED"), random);
  if (prediction === null) return;
  const result = done(await client.ask("GET", `/api/v1/predictions/${prediction.key}/file`), 200);
  if (result === null) return;
  const form = formOf({ labelColumn: "prediction", file: new File([result.text], "labels.csv") });
  const told = done(await client.ask("POST", `/api/v1/predictions/${prediction.key}/outcomes`, form), 200);
  if (told === null) return;
  const { outcomes } = told.json as { outcomes: { rowCount: number; rightCount: number } };
  if (outcomes.rightCount !== outcomes.rowCount) throw new Error(`broken rule: ${told.text}`);
  prediction.labelledRows = outcomes.rowCount;
  ledger.acknowledge("labels that came later");
}

async function moveChampion({ client, ledger, random }: World): Promise<void> {
  const model = pick([...ledger.models.values()], random);
  if (model === null) return;
  const version = 1 + random.nextBelow(3);
  model.champion = null;
  model.movesUnderWay++;
  const move = ++model.moveCount;
  const moved = await client.ask("POST", `/api/v1/training/${model.trainingKey}/champion`, { version });
  model.movesUnderWay--;
  if (done(moved, 200) === null || model.moveCount !== move || model.movesUnderWay > 0) return;
  model.champion = version;
  ledger.acknowledge("champions moved");
}

async function cancel({ client, ledger, random }: World): Promise<void> {
  if (random.nextBelow(3) > 0) return;
  const running = [...ledger.ofKind("training"), ...ledger.ofKind("refinement")].filter(
    ({ frozen }) => frozen === null,
  );
  const thing = pick(running, random);
  if (thing === null || !thing.mustEnd) return;
  const path = thing.kind === "training" ? "training" : "feature-refinery";
  const cancelled = await client.ask("PATCH", `/api/v1/${path}/${thing.key}/cancel`);
  if (done(cancelled, 200) === null) return;
  // A refinement that ends before its next unit keeps the wish and its own end.
  thing.cancelAcknowledged = true;
  ledger.acknowledge("cancels");
}

async function lookAround({ client, ledger, random }: World): Promise<void> {
  const thing = pick(
    [...ledger.things.values()].filter(({ frozen }) => frozen === null),
    random,
  );
  if (thing !== null) await ledger.look(client, thing);
}

function pick<T extends Thing | { key: string }>(items: readonly T[], random: Random): T | null {
  return items.length === 0 ? null : items[random.nextBelow(items.length)]!;
}
