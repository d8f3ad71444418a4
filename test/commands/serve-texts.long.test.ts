// A server and texts in which fewer than five rows have a word: it comes back with rows of their own, and nowhere else.
import { beforeAll, expect, test } from "bun:test";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { randomTexts } from "../support/noise-text.ts";
import { ask, endAll, FROM_SOURCE, PASSWORD, poll, readUntil, start } from "../support/server.ts";
import { drawTexts } from "../support/text-tables.ts";

/** Begins every word that only some rows have. */
const MARK = "zqxmark";
const SECRET = `${MARK}name of ${MARK}place`;
const FOLDER = testFolder(endAll);

type Answer = Record<string, string>;

/** What the server said, by what was asked. */
const answers = new Map<string, string>();
/** Of these the user's own rows are the content. */
const rowsOfUser = new Map<string, string>();
let printed = "";
let audit = "";

/**
 * A text that tells, one of random words, and a title of two words that many
 * rows share; the mark in the rows `marked` of each.
 */
function table(rowCount: number, seed: number, marked: readonly number[] = [3, 40, 41]): string {
  const { texts, labels } = drawTexts(rowCount, 2, seed);
  const noise = randomTexts(rowCount, seed + 1);
  const lines = texts.map((text, row) => {
    const isMarked = marked.includes(row);
    const title = `w${row % 120} t${row % 7}`;
    const cells = [text, noise[row]!, title].map((cell) => (isMarked ? `"${cell}, ""${SECRET}"""` : `"${cell}"`));
    return [row % 9, ...cells, labels[row]].join(",");
  });
  return `number,note,noise,title,label\n${lines.join("\n")}\n`;
}

const file = (text: string) => new File([text], "table.csv");
const isOver = ({ status, state }: Answer) =>
  !["PENDING", "PROCESSING", "RUNNING"].includes(status ?? "") &&
  (state === undefined || ["REFINEMENT_COMPLETED", "ERROR", "TIMEOUT"].includes(state));

beforeAll(async () => {
  const environment = { CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD };
  const settings = ["--port", "0", "--workers", "2", "--log-level", "debug"];
  const child = start(FROM_SOURCE, ["serve", "--data", FOLDER, ...settings], environment);
  const errors = child.stderr.text();
  const out = await readUntil(child.stdout, /listening on \S+\n/);
  await drive(/listening on (\S+)/.exec(out)![1]!);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  printed = out + (await errors);
  const trail = start(FROM_SOURCE, ["audit", "--data", FOLDER, "--json"]);
  audit = await trail.stdout.text();
}, 300_000);

async function drive(origin: string): Promise<void> {
  let token = "";
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(origin, token, method, path, body, headers);
    const head = JSON.stringify([...response.headers]);
    const text = await response.text();
    const isRows = /\/(file|preview|files\/\w+)(\?|$)/.test(path) && response.ok && !path.includes("/models/");
    (isRows ? rowsOfUser : answers).set(`${answers.size} ${method} ${path}`, isRows ? text : head + text);
    if (isRows) answers.set(`${answers.size} ${method} ${path}, headers`, head);
    return (text.startsWith("{") ? JSON.parse(text) : { text }) as Answer;
  };
  const followed = (path: string) => poll(() => call("GET", path), isOver);

  token = (await call("POST", "/api/login", { username: "ada@example.org", password: PASSWORD }))["access_token"]!;
  const fields = { name: "texts", numberOfBuckets: "10" };
  const dataset = async (name: string, text: string, more: Record<string, string> = {}) => {
    const { datasetKey } = await call(
      "POST",
      "/api/v1/datasets",
      formOf({ ...fields, name, ...more, file: file(text) }),
    );
    await followed(`/api/v1/datasets/${datasetKey}`);
    return `/api/v1/datasets/${datasetKey}`;
  };
  const good = await dataset("good", table(400, 3));
  // Wrong files: a quote that is not closed, too few cells, too many, a text as the
  // label, a label that is not there, bytes of no text.
  await dataset("quote", `${table(40, 3)}1,"${SECRET},2,3,4\n`);
  await dataset("few", `${table(40, 3)}${SECRET}\n`);
  await dataset("many", `${table(40, 3)}1,2,3,4,5,${SECRET}\n`);
  await dataset("behind", `${table(40, 3)}1,"a" ${SECRET},3,4,5\n`);
  await dataset("label", table(400, 3), { labelColumn: "note" });
  await dataset("title", table(400, 3), { labelColumn: "title" });
  await dataset("none", table(400, 3), { labelColumn: "not there" });
  await dataset("nul", `${table(40, 3)}1,${SECRET}\0,3,4,5\n`);
  for (const path of ["preview", "distributions"]) await call("GET", `${good}/${path}`);
  await call("GET", `${good}/distributions?rows=${MARK.length}`);

  const names = { trainFileName: "train.csv", testFileName: "test.csv", numberOfBuckets: 10 };
  const tests = [table(150, 4), `${table(150, 4)}${SECRET}\n`, table(150, 4).replace("note", "notes")];
  for (const [at, test] of tests.entries()) {
    const made = (await call("POST", "/api/v1/feature-refinery", { ...names, name: `run ${at}` })) as unknown as {
      featureRefinementKey: string;
      uploadTargets: Record<"url" | "kind" | "requiredHeader", string>[];
      startUrl: string;
      progressUrl: string;
    };
    for (const { url, kind, requiredHeader } of made.uploadTargets) {
      const [header, value] = requiredHeader.split(": ");
      const content = kind === "TRAIN" ? table(500, 5) : test;
      await call("PUT", url, content, { [header!]: value!, "content-type": "text/csv" });
    }
    await call("POST", made.startUrl);
    await followed(made.progressUrl);
    const run = `/api/v1/feature-refinery/${made.featureRefinementKey}`;
    for (const path of ["", "/result", "/evidence", "/files/TRAIN", "/files/TEST"]) await call("GET", run + path);
  }

  const { trainingJobKey } = await call("POST", `/api/v1/training/datasets/${good.split("/").at(-1)}`, {
    scalingFactor: 2,
  });
  const training = `/api/v1/training/${trainingJobKey}`;
  await followed(training);
  for (const path of ["/progress", "/attempts"]) await call("GET", training + path);
  const { modelKey } = await call("GET", training);
  const model = `/api/v1/models/${modelKey}`;
  for (const path of ["", "/details", "/versions/1/report", "/versions/1/file"]) await call("GET", model + path);

  const predictions = `/api/v1/predictions/models/${modelKey}`;
  const bad = [
    `number\n${SECRET}\n`,
    `number,note,noise,title\n1,${SECRET}\n`,
    `number,note,noise,title\n1,"${SECRET},2,3\n`,
  ];
  for (const text of [table(60, 7), ...bad]) {
    const { predictionKey } = await call("POST", predictions, formOf({ file: file(text) }));
    await followed(`/api/v1/predictions/${predictionKey}`);
    for (const path of ["/progress", "/file", "/preview"])
      await call("GET", `/api/v1/predictions/${predictionKey}${path}`);
  }
  const row = { number: 1, note: SECRET, noise: SECRET, title: SECRET };
  const bodies = [
    { rows: [row, { ...row, note: `good ${SECRET}` }] },
    { rows: [{ ...row, title: undefined }] },
    { rows: [{ ...row, number: SECRET }] },
    { rows: Array.from({ length: 12 }, () => ({ ...row, number: SECRET })) },
    { rows: [{ ...row, note: [SECRET] }] },
    { rows: [SECRET] },
    { rows: SECRET },
    SECRET,
    `{"rows": [{"note": "${SECRET}"`,
    `{"rows": [{"note": ${SECRET}}]}`,
  ];
  for (const body of bodies) {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    await call("POST", `${predictions}/rows?reasons=5`, sent, { "content-type": "application/json" });
    await call("POST", `${predictions}/rows`, sent, { "content-type": "application/json" });
  }
  for (const path of ["/metrics", "/api/v1/audit", "/api/v1/usage", "/api/v1/datasets", "/api/v1/models"]) {
    await call("GET", path);
  }
}

test("nothing that the server said holds such a word", () => {
  expect(answers.size).toBeGreaterThan(80);
  const telling = [...answers].filter(([, text]) => text.toLowerCase().includes(MARK));
  expect(telling.map(([asked, text]) => `${asked}: ${around(text)}`)).toEqual([]);
});

test("nor what it printed, nor the audit trail", () => {
  expect(printed).toContain('"request"');
  expect(audit).toContain("TRAINING_STARTED");
  for (const text of [printed, audit]) expect(around(text.toLowerCase())).toBe("");
});

test("the user's own rows come back as they were", () => {
  const texts = [...rowsOfUser.values()].filter((text) => text.includes(`""${SECRET}""`));
  expect(texts.length).toBeGreaterThanOrEqual(3);
});

/** Where the mark stands, for the message; empty where it does not. */
function around(text: string): string {
  const at = text.toLowerCase().indexOf(MARK);
  return at < 0 ? "" : text.slice(Math.max(0, at - 150), at + 60);
}
