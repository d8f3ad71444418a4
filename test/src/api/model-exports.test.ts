// Downloads of a model as ONNX: made by a real thread, scored by another program, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listAudit } from "../../../data/audit.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { checkFile } from "../../../engine/export/check-file.ts";
import { inputValues, modelInputs } from "../../../engine/export/onnx/inputs.ts";
import { unpackModel } from "../../../engine/model/model-file.ts";
import { createModelExports } from "../../../src/api/models/model-exports.ts";
import { modelFileRoutes } from "../../../src/api/models/model-files.ts";
import type { ModelExports } from "../../../src/api/services.ts";
import { expectAnswer, startApi, type TestApi } from "../../support/api.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { scoreOnnx, withOnnx } from "../../support/onnx.ts";
import { addScorer } from "./service.ts";

const VECTORS = join(import.meta.dir, "../../fixtures/vectors");
const MIB = 2 ** 20;

let api: TestApi;
let modelKey: string;

beforeAll(async () => {
  api = await startApi({ routes: modelFileRoutes });
  ({ modelKey } = addScorer(api, "ada"));
});

afterAll(() => api.close());

const get = (query: string, sent: Parameters<TestApi["request"]>[2] = { as: "ada" }) =>
  api.request("GET", `/api/v1/models/${modelKey}/versions/1/file?${query}`, sent);

const underWay = () => readdirSync(api.state.locate("uploads"));

describe("a version as ONNX", () => {
  test.each(["2", "5"])("scores as the version does, operators of version %s", async (ml) => {
    const response = await get(`format=onnx&onnxMl=${ml}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${modelKey}-v1.onnx"`,
      "accept-ranges": "none",
    });
    const bytes = await response.bytes();
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    const file = unpackModel(readFileSync(api.state.locate(statePaths.modelVersion(modelKey, 1))));
    const { rows, labels } = checkFile(file);
    const texts = modelInputs(file).flatMap(({ name, type }) => (type === "string" ? [name] : []));
    const found = await withOnnx([bytes], (session) =>
      scoreOnnx(session, inputValues(file, rows), (name) => texts.includes(name)),
    );
    expect([...found.labels]).toEqual([...labels]);
    expect(underWay()).toEqual([]);
  });

  test("is not made again for who has it", async () => {
    const etagOf = async (query: string) => {
      const response = await get(query);
      await response.body!.cancel();
      return response.headers.get("etag")!;
    };
    const etag = await etagOf("format=onnx");
    expect(await etagOf("format=onnx&onnxMl=5")).not.toBe(etag);
    const known = await get("format=onnx", { as: "ada", headers: { "if-none-match": etag } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
  });

  test("is written down as a download", async () => {
    await (await get("format=onnx")).bytes();
    const { items } = listAudit(api.database, {}, { offset: 0, limit: 1 });
    expect(items[0]).toMatchObject({ action: "MODEL_FILE_DOWNLOADED", objectKey: modelKey, detail: "v1 as ONNX" });
  });

  test("leaves no file where nobody reads it", async () => {
    const response = await get("format=onnx");
    expect(underWay()).toEqual([]);
    await response.body!.cancel();
    const { origin } = api.listen();
    const token = await api.tokenOf("ada");
    const head = await fetch(`${origin}/api/v1/models/${modelKey}/versions/1/file?format=onnx`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${token}` },
    });
    expect([head.status, underWay()]).toEqual([200, []]);
  });
});

describe("refusals", () => {
  test("name the reason and what to take instead", async () => {
    const other = addScorer(api, "ada").modelKey;
    const path = api.state.locate(statePaths.modelVersion(other, 1));
    copyFileSync(join(VECTORS, "terms-two-classes.cupel"), path);
    const response = await api.request("GET", `/api/v1/models/${other}/versions/1/file?format=onnx`, { as: "ada" });
    await expectAnswer(api, response, { status: 409, code: "NOT_EXPORTABLE" });
    expect(underWay()).toEqual([]);
  });

  test("of unknown forms, other users' models and callers without a credential", async () => {
    await expectAnswer(api, await get("format=pmml"), { status: 400, code: "VALIDATION_FAILED" });
    await expectAnswer(api, await get("format=onnx&onnxMl=3"), { status: 400, code: "VALIDATION_FAILED" });
    await expectAnswer(api, await get("format=onnx", { as: "bob" }), { status: 404, code: "NOT_FOUND" });
    await expectAnswer(api, await get("format=onnx", {}), { status: 401, code: "INVALID_TOKEN" });
  });
});

describe("the thread", () => {
  const model = join(VECTORS, "stack-many-classes.cupel");

  async function withExports<T>(lightBytes: number, use: (exports: ModelExports) => Promise<T>): Promise<T> {
    const jobBytes = { light: lightBytes, heavy: lightBytes };
    const exports = createModelExports(spawnWorker, api.state.locate("uploads"), { jobBytes });
    return use(exports).finally(() => exports.close());
  }

  test("is not asked where the memory would not do", () =>
    withExports(64 * MIB, async (exports) => {
      await expect(exports.onnx(model, 2)).rejects.toMatchObject({
        code: "MEMORY_BUDGET",
        message: expect.stringContaining("cupel export"),
      });
      await exports.onnx(model, 2).catch(() => undefined);
      expect(underWay()).toEqual([]);
    }));

  test("takes eight at once, one after the other, and refuses the ninth", () =>
    withExports(512 * MIB, async (exports) => {
      const asked = Array.from({ length: 9 }, () =>
        exports.onnx(model, 2).then(({ body }) => new Response(body).bytes()),
      );
      const ended = await Promise.allSettled(asked);
      expect(ended.slice(0, 8).map(({ status }) => status)).toEqual(new Array(8).fill("fulfilled"));
      expect(ended[8]).toMatchObject({ status: "rejected", reason: { code: "BUSY" } });
      const made = ended.flatMap((end) =>
        end.status === "fulfilled" ? [Buffer.from(end.value).toString("base64")] : [],
      );
      expect(new Set(made).size).toBe(1);
      expect(underWay()).toEqual([]);
      await exports.onnx(model, 5);
    }));

  test("gives no answer once the server stops", () =>
    withExports(512 * MIB, async (exports) => {
      const asked = exports.onnx(model, 2);
      exports.close();
      await expect(asked).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await asked.catch(() => undefined);
      expect(underWay()).toEqual([]);
    }));
});
