// Uploads of refinements and datasets, from the signed address of their creation to the file that counts.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { claimNextDataset } from "../../../data/dataset-processing.ts";
import { expireDatasetUploads, findDataset } from "../../../data/datasets.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { disableUser, enableUser } from "../../../data/users.ts";
import { removeUser } from "../../../src/auth/remove-user.ts";
import type { ProblemCode } from "../../../src/http/problem-codes.ts";
import { expectAnswer, type TestApi, withApi } from "../../support/api.ts";

const RUNS = "/api/v1/feature-refinery";
const DATASETS = "/api/v1/datasets";
const CSV = "tenure,left\n12,no\n3,yes\n";

/** As the housekeeping of a server does. */
function expire({ database, services: { now, uploads } }: TestApi): string[] {
  return expireDatasetUploads(database, now(), (key) => uploads.has(key));
}

interface Run {
  key: string;
  TRAIN: string;
  TEST: string;
}

/** A new refinement of ada's, with the addresses of its files without their origin. */
async function createRun(api: TestApi): Promise<Run> {
  const response = await api.request("POST", RUNS, { as: "ada", body: {} });
  const { featureRefinementKey: key, uploadTargets } = (await response.json()) as {
    featureRefinementKey: string;
    uploadTargets: [{ url: string }, { url: string }];
  };
  const [TRAIN, TEST] = uploadTargets.map(({ url }) => pathOf(url)) as [string, string];
  return { key, TRAIN, TEST };
}

async function createDataset(api: TestApi): Promise<{ key: string; path: string; headers: Record<string, string> }> {
  const body = { name: "churn", numberOfBuckets: 20 };
  const response = await api.request("POST", DATASETS, { as: "ada", body });
  const { datasetKey, datasetUploadInfo } = (await response.json()) as {
    datasetKey: string;
    datasetUploadInfo: { uploadUrl: string; extraHeaders: Record<string, string> };
  };
  return { key: datasetKey, path: pathOf(datasetUploadInfo.uploadUrl), headers: datasetUploadInfo.extraHeaders };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const REQUIRED = { "x-cupel-content-length-range": "10,534773760" };

/** As a client sends it: no other credential. */
function put(api: TestApi, path: string, text = CSV, headers: Record<string, string> = REQUIRED): Promise<Response> {
  const all = { "content-type": "text/csv", "content-length": String(text.length), ...headers };
  return api.request("PUT", path, { headers: all, body: text });
}

async function refused(api: TestApi, response: Promise<Response>, code: ProblemCode, status: number): Promise<void> {
  await expectAnswer(api, await response, { status, code });
}

const filesIn = ({ services: { state } }: TestApi) =>
  ["uploads", "files"].flatMap((folder) => readdirSync(state.locate(folder)));
const contentOf = ({ services: { state } }: TestApi, path: string) => readFileSync(state.locate(path), "utf8");

describe("the files of a refinement", () => {
  test("each have an address, and the run can then start", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      expect((await put(api, run.TEST, `${CSV}9,no\n`)).status).toBe(200);
      expect((await put(api, run.TRAIN)).status).toBe(200);
      expect((await api.request("POST", `${RUNS}/${run.key}/start`, { as: "ada" })).status).toBe(202);
      const files = listRefinementFiles(api.database, run.key);
      expect(files.map(({ kind, purpose, path }) => [kind, purpose, contentOf(api, path)])).toEqual([
        ["TRAIN", "UPLOAD", CSV],
        ["TEST", "UPLOAD", `${CSV}9,no\n`],
      ]);
      expect(api.told).toEqual(["wake"]);
    }));

  test("can be replaced until the start, and the replaced one goes", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      await put(api, run.TRAIN, "a,b\n1,first\n");
      await put(api, run.TRAIN, "a,b\n1,second\n");
      await put(api, run.TEST);
      expect(filesIn(api)).toHaveLength(2);
      const [train] = listRefinementFiles(api.database, run.key);
      expect(contentOf(api, train!.path)).toBe("a,b\n1,second\n");
      await api.request("POST", `${RUNS}/${run.key}/start`, { as: "ada" });
      await refused(api, put(api, run.TRAIN, "a,b\n1,third\n"), "UPLOAD_CLOSED", 409);
      expect(contentOf(api, train!.path)).toBe("a,b\n1,second\n");
      expect(filesIn(api)).toHaveLength(2);
    }));

  test.each(["PATCH", "DELETE"])("cannot come after a %s", (method) =>
    withApi(async (api) => {
      const run = await createRun(api);
      const path = method === "PATCH" ? `${RUNS}/${run.key}/cancel` : `${RUNS}/${run.key}`;
      expect((await api.request(method, path, { as: "ada" })).ok).toBeTrue();
      await refused(api, put(api, run.TRAIN), "UPLOAD_CLOSED", 409);
      expect(filesIn(api)).toEqual([]);
    }),
  );
});

describe("the addresses of a user who is disabled or removed", () => {
  const ENDS: [string, (api: TestApi) => void][] = [
    ["disabled", ({ database, ada, services }) => disableUser(database, ada.key, services.now())],
    ["removed", ({ database, ada, services }) => removeUser(database, ada.key, "no hash", services.now())],
  ];

  test.each(ENDS)("are refused once the user is %s, and take nothing", (_name, end) =>
    withApi(async (api) => {
      const [run, dataset] = [await createRun(api), await createDataset(api)];
      end(api);
      for (const path of [run.TRAIN, run.TEST, dataset.path]) {
        await refused(api, put(api, path), "SIGNATURE_EXPIRED", 403);
      }
      expect(filesIn(api)).toEqual([]);
      expect(api.told).toEqual([]);
    }),
  );

  test("are valid again once the user is enabled", () =>
    withApi(async (api) => {
      const { path } = await createDataset(api);
      disableUser(api.database, api.ada.key, api.services.now());
      enableUser(api.database, api.ada.key);
      expect((await put(api, path)).status).toBe(200);
    }));
});

describe("the file of a dataset", () => {
  test("makes it PROCESSING by itself", () =>
    withApi(async (api) => {
      const { key, path, headers } = await createDataset(api);
      expect((await put(api, path, CSV, headers)).status).toBe(200);
      const response = await api.request("GET", `${DATASETS}/${key}`, { as: "ada" });
      expect(await response.json()).toMatchObject({ status: "PROCESSING", sizeBytes: CSV.length });
      expect(api.told).toEqual(["wake"]);
    }));

  test("can be replaced until it is in work", () =>
    withApi(async (api) => {
      const { key, path } = await createDataset(api);
      await put(api, path, "a,b\n1,first\n");
      expect((await put(api, path, "a,b\n1,second\n")).status).toBe(200);
      expect(filesIn(api)).toHaveLength(1);
      claimNextDataset(api.database);
      await refused(api, put(api, path, "a,b\n1,third\n"), "UPLOAD_CLOSED", 409);
      expect(contentOf(api, findDataset(api.database, key)!.filePath!)).toBe("a,b\n1,second\n");
    }));

  test("cannot come after the hour, when the dataset is FAILED", () =>
    withApi(async (api) => {
      const { key, path } = await createDataset(api);
      api.pass(3_601);
      await refused(api, put(api, path), "SIGNATURE_EXPIRED", 403);
      expect(expire(api)).toEqual([key]);
      const response = await api.request("GET", `${DATASETS}/${key}`, { as: "ada" });
      expect(await response.json()).toMatchObject({ status: "FAILED", errorCode: "UPLOAD_EXPIRED" });
    }));

  test.each([true, false])("may still come after the hour where it began within it; it does: %p", (comes) =>
    withApi(async (api) => {
      const { key, path } = await createDataset(api);
      const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
      const body = new ReadableStream<Uint8Array>({ pull: (controller) => asked.resolve(controller) });
      const headers = { ...REQUIRED, "content-type": "text/csv", "content-length": String(CSV.length) };
      const request = new Request(`http://localhost${path}`, { method: "PUT", headers, body });
      const answer = api.app.fetch(request);
      const upload = await asked.promise;
      api.pass(3_601);
      expect(expire(api)).toEqual([]);
      if (comes) upload.enqueue(new TextEncoder().encode(CSV));
      upload.close();
      expect((await answer).status).toBe(comes ? 200 : 400);
      expect(expire(api)).toEqual(comes ? [] : [key]);
      expect(findDataset(api.database, key)!.status).toBe(comes ? "PROCESSING" : "FAILED");
    }),
  );

  test("comes by a real connection from the address as it was given", () =>
    withApi(async (api) => {
      const { origin } = api.listen();
      const authorization = `Bearer ${await api.tokenOf("ada")}`;
      const created = await fetch(`${origin}${DATASETS}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ name: "churn", numberOfBuckets: 20 }),
      });
      const { datasetCreationProgressUrl, datasetUploadInfo } = (await created.json()) as {
        datasetCreationProgressUrl: string;
        datasetUploadInfo: { uploadUrl: string; extraHeaders: Record<string, string> };
      };
      const headers = { ...datasetUploadInfo.extraHeaders, "content-type": "text/csv" };
      expect((await fetch(datasetUploadInfo.uploadUrl, { method: "PUT", headers, body: CSV })).status).toBe(200);
      const shown = await fetch(datasetCreationProgressUrl, { headers: { authorization } });
      expect(await shown.json()).toMatchObject({ status: "PROCESSING" });
    }));
});

describe("an address", () => {
  test("is good for its own file alone", () =>
    withApi(async (api) => {
      const [one, two] = [await createRun(api), await createRun(api)];
      const dataset = await createDataset(api);
      const stolen = [
        one.TRAIN.replace("/TRAIN", "/TEST"),
        one.TRAIN.replace("/TRAIN", "/DATASET"),
        one.TRAIN.replace(one.key, two.key),
        dataset.path.replace(dataset.key, one.key).replace("/DATASET", "/TRAIN"),
        one.TRAIN.replace("most=534773760", "most=634773760"),
        one.TRAIN.replace("least=10", "least=1"),
        one.TRAIN.replace(/expires=(\d)/, "expires=9$1"),
        one.TRAIN.replace(/signature=.*/, "signature="),
        one.TRAIN.replace(/\?.*/, ""),
        `${one.TRAIN}&least=1`,
      ];
      for (const path of stolen) await refused(api, put(api, path), "SIGNATURE_INVALID", 403);
      expect(filesIn(api)).toEqual([]);
    }));

  test("may be written with a key in capitals", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      expect((await put(api, run.TRAIN.replace(run.key, run.key.toUpperCase()))).status).toBe(200);
    }));

  test("of a dataset is not seen by its name in another case, nor of another kind", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      await refused(api, put(api, run.TRAIN.replace("/TRAIN", "/train")), "VALIDATION_FAILED", 400);
      await refused(api, put(api, run.TRAIN.replace("/TRAIN", "/RESULT")), "VALIDATION_FAILED", 400);
    }));

  test("needs the header, the type and the size that were agreed", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      await refused(api, put(api, run.TRAIN, CSV, {}), "UPLOAD_HEADER", 400);
      const other = { "x-cupel-content-length-range": "1,534773760" };
      await refused(api, put(api, run.TRAIN, CSV, other), "UPLOAD_HEADER", 400);
      const json = { ...REQUIRED, "content-type": "application/json" };
      await refused(api, put(api, run.TRAIN, CSV, json), "UNSUPPORTED_MEDIA_TYPE", 415);
      await refused(api, put(api, run.TRAIN, "a,b\n1,2\n3"), "FILE_TOO_SMALL", 400);
      expect((await put(api, run.TRAIN, "a,b\n1,2\n3,")).status).toBe(200);
    }));
});

describe("an address is renewed", () => {
  const renew = (api: TestApi, key: string, kind: string, as: "ada" | "bob" = "ada") =>
    api.request("POST", `/api/v1/uploads/${key}/${kind}/renewal`, { as });
  const renewed = async (api: TestApi, key: string, kind: string) => {
    const response = await renew(api, key, kind);
    expect(response.status).toBe(200);
    return (await response.json()) as {
      url: string;
      requiredHeader: string;
      extraHeaders: Record<string, string>;
      expiresOn: string;
    };
  };

  test.each(["TRAIN", "TEST"])("for the %s file of a run, also after its hour", (kind) =>
    withApi(async (api) => {
      const run = await createRun(api);
      api.pass(90_000);
      const { url, requiredHeader, extraHeaders, expiresOn } = await renewed(api, run.key, kind);
      expect(requiredHeader).toBe("x-cupel-content-length-range: 10,534773760");
      expect(extraHeaders).toEqual(REQUIRED);
      expect(Date.parse(expiresOn) - api.services.now().getTime()).toBeWithin(3_599_000, 3_600_001);
      expect((await put(api, pathOf(url))).status).toBe(200);
      expect(listRefinementFiles(api.database, run.key).map((file) => file.kind)).toEqual([kind as "TRAIN"]);
    }),
  );

  test("for a dataset, which then waits for an hour more", () =>
    withApi(async (api) => {
      const { key } = await createDataset(api);
      api.pass(3_000);
      const { url } = await renewed(api, key, "DATASET");
      api.pass(3_000);
      expect(expire(api)).toEqual([]);
      expect((await put(api, pathOf(url))).status).toBe(200);
      expect(findDataset(api.database, key)).toMatchObject({ status: "PROCESSING" });
      await refused(api, renew(api, key, "DATASET"), "UPLOAD_CLOSED", 409);
    }));

  test("for a dataset whose address has expired, which is PENDING again", () =>
    withApi(async (api) => {
      const { key } = await createDataset(api);
      api.pass(4_000);
      expire(api);
      const { url } = await renewed(api, key, "DATASET");
      const waiting = { status: "PENDING", errorCode: null, errorReason: null, processedOn: null };
      expect(findDataset(api.database, key)).toMatchObject(waiting);
      expect((await put(api, pathOf(url))).status).toBe(200);
    }));

  test("not for what takes no file, nor for somebody else", () =>
    withApi(async (api) => {
      const run = await createRun(api);
      const { key } = await createDataset(api);
      await refused(api, renew(api, run.key, "TRAIN", "bob"), "NOT_FOUND", 404);
      await refused(api, renew(api, key, "DATASET", "bob"), "NOT_FOUND", 404);
      await refused(api, renew(api, key, "TRAIN"), "NOT_FOUND", 404);
      await refused(api, renew(api, run.key, "DATASET"), "NOT_FOUND", 404);
      await refused(api, renew(api, run.key, "train"), "VALIDATION_FAILED", 400);
      await api.request("PATCH", `${RUNS}/${run.key}/cancel`, { as: "ada" });
      await refused(api, renew(api, run.key, "TRAIN"), "UPLOAD_CLOSED", 409);
    }));
});
