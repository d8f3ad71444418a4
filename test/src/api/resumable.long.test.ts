// Uploads in pieces (tus 1.0): what each request is answered, what is kept of a
// broken one, and that the whole file is what was sent.

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import fc from "fast-check";
import { listAudit } from "../../../data/audit.ts";
import { deleteDataset, expireDatasetUploads, findDataset } from "../../../data/datasets.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findOwnedPrediction } from "../../../data/predictions.ts";
import { listRefinementFiles } from "../../../data/refinements/refinement-files.ts";
import { releaseUploads } from "../../../data/resumable-uploads.ts";
import { usageOf } from "../../../data/usage.ts";
import { disableUser, enableUser } from "../../../data/users.ts";
import type { PreparedPrediction } from "../../../src/api/predictions/prediction-uploads.ts";
import { signedUploadPath } from "../../../src/api/uploads/upload-slots.ts";
import type { UploadKind } from "../../../src/api/uploads/uploads.ts";
import { UNFINISHED_UPLOAD_SECONDS } from "../../../src/http/limits.ts";
import { type Expected, expectAnswer, type TestApi, withApi } from "../../support/api.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { addDatasetAt, addRunAt } from "./intake.ts";
import { addScorer, PENGUINS_CSV } from "./service.ts";

const TUS = { "tus-resumable": "1.0.0" };
const PIECE = { ...TUS, "content-type": "application/offset+octet-stream" };
const CSV = "tenure,left\n12,no\n3,yes\n40,no\n";

const datasetOf = (api: TestApi) => addDatasetAt(api, "ada", "PENDING").key;
const addressOf = (api: TestApi, key: string, kind: UploadKind = "DATASET") =>
  signedUploadPath(api.services.signedUrls, key, kind);

const begin = (api: TestApi, address: string, sizeBytes: number) =>
  api.request("POST", address, { headers: { ...TUS, "upload-length": String(sizeBytes) } });

/** Begins an upload; returns where its bytes go. */
async function begun(api: TestApi, address: string, sizeBytes: number): Promise<string> {
  const response = await begin(api, address, sizeBytes);
  expect(response.status).toBe(201);
  const { pathname, search } = new URL(response.headers.get("location")!);
  return pathname + search;
}

const patch = (api: TestApi, upload: string, offset: number, body: unknown, headers: Record<string, string> = PIECE) =>
  api.request("PATCH", upload, { headers: { ...headers, "upload-offset": String(offset) }, body });

/** What the server says that it has; null where it says nothing. */
async function offsetOf(api: TestApi, upload: string): Promise<number | null> {
  const response = await api.request("HEAD", upload, { headers: TUS });
  const offset = response.headers.get("upload-offset");
  expect(response.status).toBe(offset === null ? 404 : 200);
  return offset === null ? null : Number(offset);
}

const filesIn = ({ state }: TestApi, folder: string) => readdirSync(state.locate(folder));
const storedOf = (api: TestApi, key: string) => {
  const { filePath, sha256, sizeBytes } = findDataset(api.database, key)!;
  return { bytes: readFileSync(api.state.locate(filePath!)), sha256, sizeBytes };
};
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A body that stays open: what was put in has been taken once `taken` resolves. */
function openBody() {
  const asked: PromiseWithResolvers<void>[] = [Promise.withResolvers()];
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own;
      },
      pull: () => {
        asked.at(-1)!.resolve();
        asked.push(Promise.withResolvers());
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    next: () => asked.at(-1)!.promise,
    put: (piece: string | Uint8Array) => controller.enqueue(Buffer.from(piece as string)),
    break: () => controller.error(new Error("gone")),
    end: () => controller.close(),
  };
}

const patchOpen = (api: TestApi, upload: string, offset: number, body: ReadableStream<Uint8Array>) =>
  api.app.fetch(
    new Request(`http://localhost${upload}`, {
      method: "PATCH",
      headers: { ...PIECE, "upload-offset": String(offset) },
      body,
    }),
  );

describe("a file in pieces", () => {
  test("is stored as by the PUT, and told so again where the last answer was lost", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const answer = await begin(api, addressOf(api, key), CSV.length);
      await expectAnswer(api, answer, {
        status: 201,
        headers: {
          "tus-resumable": "1.0.0",
          "upload-offset": "0",
          "upload-expires": / GMT$/,
          location: /^http:\/\/localhost\/api/,
        },
      });
      const upload = answer.headers.get("location")!.replace("http://localhost", "");
      await expectAnswer(api, await patch(api, upload, 0, CSV.slice(0, 13)), {
        status: 204,
        headers: { "upload-offset": "13", "tus-resumable": "1.0.0" },
      });
      expect(findDataset(api.database, key)!.status).toBe("PENDING");
      expect(await offsetOf(api, upload)).toBe(13);
      await expectAnswer(api, await patch(api, upload, 13, CSV.slice(13)), {
        status: 204,
        headers: { "upload-offset": String(CSV.length) },
      });
      expect(findDataset(api.database, key)!.status).toBe("PROCESSING");
      expect(storedOf(api, key)).toEqual({
        bytes: Buffer.from(CSV),
        sha256: hashOf(Buffer.from(CSV)),
        sizeBytes: CSV.length,
      });
      expect([filesIn(api, "unfinished"), filesIn(api, "files").length, api.told]).toEqual([[], 1, ["wake"]]);
      expect(await offsetOf(api, upload)).toBe(CSV.length);
      expect((await patch(api, upload, CSV.length, "")).status).toBe(204);
      await expectAnswer(api, await patch(api, upload, 0, CSV), { status: 409, code: "OFFSET_CONFLICT" });
      expect(api.told).toEqual(["wake"]);
    }));

  test("may bring its first bytes, or all of them, with its creation", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const sent = { headers: { ...PIECE, "upload-length": String(CSV.length) } };
      const part = await api.request("POST", addressOf(api, key), { ...sent, body: CSV.slice(0, 20) });
      expect([part.status, part.headers.get("upload-offset")]).toEqual([201, "20"]);
      const whole = await api.request("POST", addressOf(api, key), { ...sent, body: CSV });
      expect([whole.status, whole.headers.get("upload-offset")]).toEqual([201, String(CSV.length)]);
      expect(storedOf(api, key).bytes.toString()).toBe(CSV);
      expect(filesIn(api, "unfinished")).toEqual([]);
    }));

  test("is refused once its user is disabled, and goes on where it was once the user is enabled", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const upload = await begun(api, addressOf(api, key), CSV.length);
      await patch(api, upload, 0, CSV.slice(0, 13));
      disableUser(api.database, api.ada.key, api.services.now());
      const refused = { status: 403, code: "SIGNATURE_EXPIRED" } as const;
      await expectAnswer(api, await patch(api, upload, 13, CSV.slice(13)), refused);
      await expectAnswer(api, await begin(api, addressOf(api, key), CSV.length), refused);
      enableUser(api.database, api.ada.key);
      expect((await patch(api, upload, 13, CSV.slice(13))).status).toBe(204);
      expect(storedOf(api, key).bytes.toString()).toBe(CSV);
    }));

  test("goes to the file of the refinement that its address names", () =>
    withApi(async (api) => {
      const run = addRunAt(api, "ada", "PENDING").key;
      for (const kind of ["TRAIN", "TEST"] as const) {
        const text = `${CSV}${kind === "TEST" ? "1,no\n" : ""}`;
        const upload = await begun(api, addressOf(api, run, kind), text.length);
        expect((await patch(api, upload, 0, text)).status).toBe(204);
      }
      const files = listRefinementFiles(api.database, run);
      expect(files.map(({ kind, sizeBytes }) => [kind, sizeBytes])).toEqual([
        ["TRAIN", CSV.length],
        ["TEST", CSV.length + 5],
      ]);
    }));

  test("cut anywhere, and broken off anywhere, is the same file", () =>
    withApi(async (api) => {
      const bytes = fc.uint8Array({ minLength: 10, maxLength: 3_000 });
      const cuts = fc.array(fc.record({ length: fc.integer({ min: 1, max: 900 }), breaks: fc.boolean() }), {
        minLength: 1,
      });
      await fc.assert(
        fc.asyncProperty(bytes, cuts, async (file, plan) => {
          const key = addDatasetAt(api, "ada", "PENDING", crypto.randomUUID().slice(0, 30)).key;
          const upload = await begun(api, addressOf(api, key), file.length);
          let offset = 0;
          for (let turn = 0; offset < file.length; turn++) {
            const { length, breaks } = plan[turn % plan.length]!;
            const piece = Buffer.from(file.subarray(offset, offset + length));
            // One byte alone would never move on.
            if (breaks && turn < plan.length) {
              const { body, next, put, break: fail } = openBody();
              const answer = patchOpen(api, upload, offset, body);
              await next();
              put(piece.subarray(0, piece.length / 2));
              await next();
              fail();
              expect((await answer).status).toBe(400);
            } else expect((await patch(api, upload, offset, new Uint8Array(piece))).status).toBe(204);
            offset = (await offsetOf(api, upload))!;
          }
          expect(storedOf(api, key)).toEqual({
            bytes: Buffer.from(file),
            sha256: hashOf(file),
            sizeBytes: file.length,
          });
        }),
        { numRuns: 40 },
      );
    }));
});

describe("a broken piece", () => {
  test("leaves what had arrived, and the upload goes on from there", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const upload = await begun(api, addressOf(api, key), CSV.length);
      const { body, next, put, break: fail } = openBody();
      const answer = patchOpen(api, upload, 0, body);
      await next();
      put(CSV.slice(0, 7));
      await next();
      fail();
      await expectAnswer(api, await answer, {
        status: 400,
        code: "UPLOAD_INTERRUPTED",
        body: { detail: expect.stringContaining(`7 of ${CSV.length} bytes are kept`) },
      });
      expect(await offsetOf(api, upload)).toBe(7);
      expect((await patch(api, upload, 7, CSV.slice(7))).status).toBe(204);
      expect(storedOf(api, key).bytes.toString()).toBe(CSV);
    }));

  test("that still stands open is ended by the question for the offset, and by nothing else", () =>
    withApi(async (api) => {
      const upload = await begun(api, addressOf(api, datasetOf(api)), CSV.length);
      const { body, next, put } = openBody();
      const first = patchOpen(api, upload, 0, body);
      await next();
      put(CSV.slice(0, 9));
      await next();
      await expectAnswer(api, await patch(api, upload, 0, CSV), { status: 423, code: "UPLOAD_BUSY" });
      expect(await offsetOf(api, upload)).toBe(9);
      expect((await first).status).toBe(400);
      expect((await patch(api, upload, 9, CSV.slice(9))).status).toBe(204);
    }));

  test("whose user is disabled meanwhile is refused with its last byte, and nothing is kept", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const upload = await begun(api, addressOf(api, key), CSV.length);
      const { body, next, put, end } = openBody();
      const answer = patchOpen(api, upload, 0, body);
      await next();
      disableUser(api.database, api.ada.key, api.services.now());
      put(CSV);
      end();
      await expectAnswer(api, await answer, { status: 403, code: "SIGNATURE_EXPIRED" });
      expect(findDataset(api.database, key)).toMatchObject({ status: "PENDING", filePath: null });
      expect([filesIn(api, "unfinished"), filesIn(api, "files")]).toEqual([[], []]);
    }));

  test("beyond the end is refused, what came before is kept", () =>
    withApi(async (api) => {
      const upload = await begun(api, addressOf(api, datasetOf(api)), CSV.length);
      const { body, next, put, end } = openBody();
      const answer = patchOpen(api, upload, 0, body);
      await next();
      put(CSV.slice(0, 9));
      await next();
      put(CSV);
      end();
      await expectAnswer(api, await answer, { status: 413, code: "BODY_TOO_LARGE" });
      expect(await offsetOf(api, upload)).toBe(9);
    }));

  test("of a file that the disk lost goes on from what is there", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const upload = await begun(api, addressOf(api, key), CSV.length);
      await patch(api, upload, 0, CSV.slice(0, 20));
      truncateSync(api.state.locate(`unfinished/${filesIn(api, "unfinished")[0]}`), 6);
      expect(await offsetOf(api, upload)).toBe(6);
      await expectAnswer(api, await patch(api, upload, 20, CSV.slice(20)), {
        status: 409,
        code: "OFFSET_CONFLICT",
        headers: { "upload-offset": "6" },
      });
      expect((await patch(api, upload, 6, CSV.slice(6))).status).toBe(204);
      expect(storedOf(api, key).bytes.toString()).toBe(CSV);
    }));
});

describe("what is refused", () => {
  type Refusal = [string, (api: TestApi, upload: string, address: string) => Promise<Response>, Expected];
  const bad = (address: string) => address.replace("signature=", "signature=x");
  test.each<Refusal>([
    [
      "no version",
      (api, _, address) => api.request("POST", address, { headers: { "upload-length": "30" } }),
      { status: 412, code: "TUS_VERSION", headers: { "tus-version": "1.0.0", "tus-resumable": "1.0.0" } },
    ],
    [
      "another version",
      (api, upload) => patch(api, upload, 0, CSV, { ...PIECE, "tus-resumable": "0.2.2" }),
      { status: 412, code: "TUS_VERSION" },
    ],
    [
      "another signature at the creation",
      (api, _, address) => begin(api, bad(address), 30),
      { status: 403, code: "SIGNATURE_INVALID", headers: { "tus-resumable": "1.0.0" } },
    ],
    [
      "another signature of a piece",
      (api, upload) => patch(api, bad(upload), 0, CSV),
      { status: 403, code: "SIGNATURE_INVALID" },
    ],
    [
      "another signature of a question",
      (api, upload) => api.request("GET", bad(upload), { headers: TUS }),
      { status: 403, code: "SIGNATURE_INVALID" },
    ],
    [
      "another signature of an end",
      (api, upload) => api.request("DELETE", bad(upload), { headers: TUS }),
      { status: 403, code: "SIGNATURE_INVALID" },
    ],
    [
      "the upload of another resource",
      (api, upload) =>
        patch(
          api,
          upload.replace(/uploads\/[^/]+\/[^/]+(\/[^?]+).*/, (_, own) =>
            addressOf(api, datasetOfBob(api)).replace("?", `${own}?`),
          ),
          0,
          CSV,
        ),
      { status: 404, code: "NOT_FOUND" },
    ],
    [
      "no length",
      (api, _, address) => api.request("POST", address, { headers: TUS }),
      { status: 400, code: "VALIDATION_FAILED", fields: ["upload-length"] },
    ],
    [
      "a length to come",
      (api, _, address) => api.request("POST", address, { headers: { ...TUS, "upload-defer-length": "1" } }),
      { status: 400, code: "VALIDATION_FAILED", fields: ["upload-defer-length"] },
    ],
    ["too small", (api, _, address) => begin(api, address, 9), { status: 400, code: "FILE_TOO_SMALL" }],
    ["too large", (api, _, address) => begin(api, address, 534_773_761), { status: 413, code: "BODY_TOO_LARGE" }],
    [
      "no offset",
      (api, upload) => api.request("PATCH", upload, { headers: PIECE, body: CSV }),
      { status: 400, code: "VALIDATION_FAILED", fields: ["upload-offset"] },
    ],
    [
      "another offset",
      (api, upload) => patch(api, upload, 3, CSV),
      { status: 409, code: "OFFSET_CONFLICT", headers: { "upload-offset": "0" } },
    ],
    [
      "another type",
      (api, upload) => patch(api, upload, 0, CSV, { ...TUS, "content-type": "text/csv" }),
      { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
    ],
    [
      "more than was said",
      (api, upload) => patch(api, upload, 0, CSV.repeat(9), { ...PIECE, "content-length": String(CSV.length * 9) }),
      { status: 413, code: "BODY_TOO_LARGE" },
    ],
    [
      "an unknown upload",
      (api, upload) => patch(api, upload.replace(/\/[^/]+\?/, "/11111111-2222-4333-8444-555555555555?"), 0, CSV),
      { status: 404, code: "NOT_FOUND" },
    ],
  ])("%s", (_name, ask, expected) =>
    withApi(async (api) => {
      const address = addressOf(api, datasetOf(api));
      const upload = await begun(api, address, CSV.length);
      await expectAnswer(api, await ask(api, upload, address), expected);
      expect(await offsetOf(api, upload)).toBe(0);
      expect((await patch(api, upload, 0, CSV)).status).toBe(204);
    }),
  );
  const datasetOfBob = (api: TestApi) => addDatasetAt(api, "bob", "PENDING").key;

  test("a piece for a refinement that has begun; nothing is stored", () =>
    withApi(async (api) => {
      const run = addRunAt(api, "ada", "UPLOADED").key;
      const upload = await begun(api, addressOf(api, run, "TRAIN"), CSV.length);
      api.database.client.run("UPDATE refinements SET queuedOn = createdOn WHERE key = ?", [run]);
      await expectAnswer(api, await patch(api, upload, 0, CSV), { status: 409, code: "UPLOAD_CLOSED" });
    }));

  test("the last byte, where the run began meanwhile: nothing of it stays", () =>
    withApi(async (api) => {
      const run = addRunAt(api, "ada", "UPLOADED").key;
      const before = filesIn(api, "files");
      const upload = await begun(api, addressOf(api, run, "TRAIN"), CSV.length);
      const { body, next, put, end } = openBody();
      const answer = patchOpen(api, upload, 0, body);
      await next();
      api.database.client.run("UPDATE refinements SET queuedOn = createdOn WHERE key = ?", [run]);
      put(CSV);
      end();
      await expectAnswer(api, await answer, { status: 409, code: "UPLOAD_CLOSED" });
      expect([await offsetOf(api, upload), filesIn(api, "unfinished"), filesIn(api, "files")]).toEqual([
        null,
        [],
        before,
      ]);
    }));
});

describe("an upload", () => {
  test("is given up by its end, and replaced by another for the same file", () =>
    withApi(async (api) => {
      const address = addressOf(api, datasetOf(api));
      const first = await begun(api, address, CSV.length);
      await patch(api, first, 0, CSV.slice(0, 5));
      const second = await begun(api, address, CSV.length);
      expect([await offsetOf(api, first), await offsetOf(api, second), filesIn(api, "unfinished")]).toEqual([
        null,
        0,
        [],
      ]);
      await patch(api, second, 0, CSV.slice(0, 5));
      await expectAnswer(api, await api.request("DELETE", second, { headers: TUS }), { status: 204 });
      expect([await offsetOf(api, second), filesIn(api, "unfinished")]).toEqual([null, []]);
      expect(usageOf(api.database, api.ada.key).unfinished).toBe(0);
    }));

  test("counts by its whole size until it is stored, and is refused without room", () =>
    withApi(
      async (api) => {
        const [one, two] = [datasetOf(api), addDatasetAt(api, "ada", "PENDING", "other").key];
        const upload = await begun(api, addressOf(api, one), 600);
        expect(usageOf(api.database, api.ada.key).unfinished).toBe(600);
        await expectAnswer(api, await begin(api, addressOf(api, two), 600), { status: 507, code: "QUOTA_EXCEEDED" });
        // In place of the first there is room.
        const again = await begun(api, addressOf(api, one), 700);
        expect(await offsetOf(api, upload)).toBeNull();
        const file = "a,left\n".padEnd(700, "1,no\n");
        expect((await patch(api, again, 0, file)).status).toBe(204);
        expect(usageOf(api.database, api.ada.key)).toMatchObject({ unfinished: 0, datasets: 700 });
      },
      { storage: { ...UNLIMITED, quotaBytesPerUser: 1_000 } },
    ));

  test("outlives the signed address, with its dataset, for a day", () =>
    withApi(async (api) => {
      const { database, services } = api;
      const key = datasetOf(api);
      const address = addressOf(api, key);
      const upload = await begun(api, address, CSV.length);
      await patch(api, upload, 0, CSV.slice(0, 8));
      api.pass(3_601);
      await expectAnswer(api, await begin(api, address, 30), { status: 403, code: "SIGNATURE_EXPIRED" });
      expect(expireDatasetUploads(database, services.now(), () => false)).toEqual([]);
      expect(releaseUploads(database, services.now())).toEqual([]);
      expect((await patch(api, upload, 8, CSV.slice(8, 12))).status).toBe(204);
      api.pass(UNFINISHED_UPLOAD_SECONDS);
      expect(await offsetOf(api, upload)).toBeNull();
      const unfinished = filesIn(api, "unfinished");
      expect(releaseUploads(database, services.now())).toEqual(unfinished);
      expect(expireDatasetUploads(database, services.now(), () => false)).toEqual([key]);
    }));

  test("for something that was deleted is released at once", () =>
    withApi(async (api) => {
      const key = datasetOf(api);
      const upload = await begun(api, addressOf(api, key), CSV.length);
      await patch(api, upload, 0, CSV.slice(0, 8));
      deleteDataset(api.database, api.ada.key, key, api.services.now());
      expect(releaseUploads(api.database, api.services.now())).toEqual(filesIn(api, "unfinished"));
    }));

  test("its protocol is told to whoever asks, and to scripts of allowed sites", () =>
    withApi(
      async (api) => {
        const address = addressOf(api, datasetOf(api));
        const told = await api.request("OPTIONS", address.replace(/\?.*/, ""), {
          headers: { origin: "https://a.example" },
        });
        await expectAnswer(api, told, {
          status: 204,
          headers: {
            "tus-version": "1.0.0",
            "tus-extension": "creation,creation-with-upload,expiration,termination",
            "tus-max-size": "534773760",
            "access-control-expose-headers": /tus-version.*upload-offset/,
          },
        });
        const preflight = await api.request("OPTIONS", address, {
          headers: { origin: "https://a.example", "access-control-request-method": "PATCH" },
        });
        expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
        expect(preflight.headers.get("access-control-allow-headers")).toMatch(
          /tus-resumable, upload-length, upload-offset/,
        );
      },
      { settings: { corsOrigins: ["https://a.example"] } },
    ));
});

describe("a file to predict", () => {
  const prepare = async (api: TestApi, body: object = {}) => {
    const { modelKey } = addScorer(api, "ada");
    const response = await api.request("POST", `/api/v1/predictions/models/${modelKey}/uploads`, { as: "ada", body });
    expect(response.status).toBe(201);
    const prepared = (await response.json()) as PreparedPrediction;
    const { predictionKey: key, predictionUploadInfo } = prepared;
    const progress = `http://localhost/api/v1/predictions/${key}/progress`;
    expect(prepared).toMatchObject({ status: "PENDING", predictionCreationProgressUrl: progress });
    const address = predictionUploadInfo.uploadUrl.replace("http://localhost", "");
    return { key, modelKey, address, extraHeaders: predictionUploadInfo.extraHeaders };
  };

  test("begins its prediction once it is whole, as its owner asked", () =>
    withApi(async (api) => {
      const { key, modelKey, address } = await prepare(api, { reasons: 2, fileName: "new/birds.csv" });
      expect(findOwnedPrediction(api.database, api.ada.key, key)).toBeNull();
      const upload = await begun(api, address, PENGUINS_CSV.length);
      await patch(api, upload, 0, PENGUINS_CSV.slice(0, 60));
      expect((await patch(api, upload, 60, PENGUINS_CSV.slice(60))).status).toBe(204);
      const made = findOwnedPrediction(api.database, api.ada.key, key)!;
      expect(made).toMatchObject({
        modelKey,
        status: "PENDING",
        reasonCount: 2,
        fileName: "birds.csv",
        hasHeader: true,
        inputBytes: PENGUINS_CSV.length,
      });
      expect(readFileSync(api.state.locate(made.inputPath!), "utf8")).toBe(PENGUINS_CSV);
      expect(api.told).toEqual(["wake"]);
      expect(listAudit(api.database, {}, { offset: 0, limit: 1 }).items).toMatchObject([
        { action: "PREDICTION_CREATED", objectKey: key, userKey: api.ada.key },
      ]);
      await expectAnswer(api, await begin(api, address, 60), { status: 409, code: "UPLOAD_CLOSED" });
    }));

  test("may come by a PUT", () =>
    withApi(async (api) => {
      const { key, address, extraHeaders } = await prepare(api);
      const headers = { ...extraHeaders, "content-length": String(PENGUINS_CSV.length) };
      expect((await api.request("PUT", address, { headers, body: PENGUINS_CSV })).status).toBe(200);
      expect(findOwnedPrediction(api.database, api.ada.key, key)!.status).toBe("PENDING");
    }));

  test("is refused where its columns do not fit; a corrected one may follow", () =>
    withApi(async (api) => {
      const { key, address } = await prepare(api);
      const upload = await begun(api, address, CSV.length);
      await expectAnswer(api, await patch(api, upload, 0, CSV), { status: 400, code: "COLUMN_MISMATCH" });
      expect([await offsetOf(api, upload), filesIn(api, "files"), filesIn(api, "unfinished")]).toEqual([null, [], []]);
      const second = await begun(api, address, PENGUINS_CSV.length);
      expect((await patch(api, second, 0, PENGUINS_CSV)).status).toBe(204);
      expect(existsSync(api.state.locate(statePaths.unfinished(key)))).toBeFalse();
    }));

  test("is for models of one's own alone", () =>
    withApi(async (api) => {
      const path = `/api/v1/predictions/models/${addScorer(api, "ada").modelKey}/uploads`;
      await expectAnswer(api, await api.request("POST", path, { as: "bob", body: {} }), {
        status: 404,
        code: "NOT_FOUND",
      });
      await expectAnswer(api, await api.request("POST", path, { as: "ada", body: { filterColumns: true } }), {
        status: 400,
        code: "FILTER_NOT_APPLICABLE",
      });
    }));
});
