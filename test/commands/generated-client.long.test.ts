// A client whose types were generated from the OpenAPI document is compiled strictly and drives the flow over HTTP.
import { beforeAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import createClient from "openapi-fetch";
import { type Listening, listen } from "../../src/service/listen.ts";
import type { Service } from "../../src/service/service.ts";
import { testFolder } from "../support/folders.ts";
import { addServiceUser, openTestService, PASSWORD, USER } from "../support/live-service.ts";
import { runProgram } from "../support/programs.ts";
import { knownTable } from "../support/refinery.ts";

const folder = testFolder(async () => {
  await listening.stop(true);
  await service.close();
});
/** Where the client is made. */
const work = testFolder();
let service: Service;
let listening: Listening;

beforeAll(async () => {
  service = await openTestService(folder, { basePath: "/cupel" });
  await addServiceUser(service);
  listening = listen(service.app, { host: "127.0.0.1", port: 0, tls: null });
});

const ROOT = join(import.meta.dir, "../..");
const PROGRAM = join(ROOT, "test/fixtures/generated-client/drive.ts.txt");
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: "ESNext",
    module: "ESNext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    types: ["bun-types"],
  },
};

/** Runs a program to its end; what it printed. */
async function run(...command: string[]): Promise<string> {
  const { out, err, code } = await runProgram(command, { folder: work });
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}\n${err}`);
  return out;
}

test("upload, refinement, training, prediction, download and deletion", async () => {
  const server = `${listening.origin}/cupel`;
  await Bun.write(join(work, "openapi.json"), await fetch(`${server}/openapi.json`));
  await Bun.write(join(work, "drive.ts"), Bun.file(PROGRAM));
  await Bun.write(join(work, "tsconfig.json"), JSON.stringify(TSCONFIG));
  symlinkSync(join(ROOT, "node_modules"), join(work, "node_modules"));
  await Bun.write(join(work, "train.csv"), knownTable(1_200, 1));
  await Bun.write(join(work, "test.csv"), knownTable(400, 2));
  await Bun.write(join(work, "rows.csv"), "strong,weak,left,right\n0.9,w3,l0,r1\n0.1,w1,l1,r0\n");

  await run(process.execPath, join(ROOT, "test/support/generate-types.ts"), "openapi.json", "schema.ts");
  await run(join(ROOT, "node_modules/.bin/tsc"), "-p", "tsconfig.json");
  const files = ["train.csv", "test.csv", "rows.csv"];
  const seen = JSON.parse(await run(process.execPath, "drive.ts", server, USER, PASSWORD, ...files));

  expect(seen).toMatchObject({
    ...{ isRepeated: "true", repeatedKey: true },
    states: ["REFINEMENT_COMPLETED", "COMPLETED", "PENDING", expect.stringMatching(/COMPLETED$/), "COMPLETED"],
    ...{ deleted: [204, 204, 204, 204], code: "NOT_FOUND" },
  });
  expect(seen.versions).toBeGreaterThan(0);
  expect(seen.resultLines).toHaveLength(3);
  expect(seen.resultLines[0]).toContain("prediction,confidence");
});

/** What is generated for the login, as far as this test needs it. */
interface Login {
  "/api/login": {
    post: {
      requestBody: { content: { "application/json": { username: string; password: string } } };
      responses: { 401: { content: { "application/problem+json": { code: string } } } };
    };
  };
}

test("a refusal is a problem to the client too", async () => {
  const client = createClient<Login>({ baseUrl: `${listening.origin}/cupel` });
  const body = { username: USER, password: "another" };
  const { error, response } = await client.POST("/api/login", { body });
  expect([response.status, error]).toEqual([401, expect.objectContaining({ code: "LOGIN_FAILED" })]);
});

test("the generated types name what they are made of", async () => {
  const lines = (await Bun.file(join(work, "schema.ts")).text()).split("\n");
  const operations = lines.slice(lines.indexOf("export interface operations {"));
  const operationCount = operations.filter((line) => /^ {4}\w+: \{$/.test(line)).length;
  expect(operationCount).toBeGreaterThan(80);
  // More than 150 an operation before bodies, answers and refusals were shared, and 113 since.
  expect(lines.length / operationCount).toBeLessThan(120);
  expect(lines.filter((line) => line.includes('components["responses"]')).length).toBeGreaterThan(500);
});
