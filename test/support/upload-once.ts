// A process of its own that uploads files of some sizes to itself and prints what came of it; see full-disk.test.ts.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StoredFile } from "../../data/files/file-store.ts";
import { UPLOAD_HEADERS, UPLOAD_RANGE, uploadPath, uploadRoutes } from "../../src/api/uploads/uploads.ts";
import { corsOf } from "../../src/routing/cors.ts";
import { serveRoutes } from "../../src/routing/serve-routes.ts";

const folder = process.argv[2]!;
const [uploadsFolder, files] = [join(folder, "uploads"), join(folder, "files")];
for (const name of [uploadsFolder, files]) mkdirSync(name);

let current: StoredFile | null = null;
const routes = uploadRoutes({
  uploadsFolder,
  findSlot: () => ({
    userKey: "",
    range: UPLOAD_RANGE,
    hold: () => () => undefined,
    targetPath: join(files, `${crypto.randomUUID()}.csv`),
    accept: (file) => {
      const replaced = current?.path ?? null;
      current = file;
      return replaced;
    },
  }),
});
const app = serveRoutes(routes, {
  identify: async () => null,
  admit: () => null,
  onFault: () => undefined,
  onAnswer: () => undefined,
  basePath: "",
  publicUrl: null,
  idempotency: (asked, work) => work(asked.request, { formIs: () => undefined, answerIs: () => undefined }),
  checkAnswers: true,
  isAllowedHost: () => true,
  clientAddresses: (address) => address,
  cors: corsOf([]),
  isTls: false,
});

const results = [];
for (const sizeBytes of [1_000_000, 5_000_000, 1_000_000]) {
  const headers = {
    "content-type": "text/csv",
    "content-length": String(sizeBytes),
    ...UPLOAD_HEADERS,
  };
  const path = uploadPath(crypto.randomUUID(), "DATASET");
  const request = new Request(`http://localhost${path}`, { method: "PUT", headers, body: new Uint8Array(sizeBytes) });
  const response = await app.fetch(request);
  const code = response.status === 200 ? null : ((await response.json()) as { code: string }).code;
  const fileCount = readdirSync(files).length + readdirSync(uploadsFolder).length;
  results.push({ sizeBytes, status: response.status, code, files: fileCount });
}
process.stdout.write(JSON.stringify(results));
