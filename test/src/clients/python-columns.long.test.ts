// How the Python client says how single columns of a table are read.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonClient } from "../../support/driven-client.ts";
import { type LiveService, PASSWORD, startService, USER } from "../../support/live-service.ts";
import { describeWithTools } from "../../support/tools.ts";

let folder: string;
let live: LiveService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cupel-python-columns-"));
  live = await startService();
});

afterAll(async () => {
  await live.close();
  rmSync(folder, { recursive: true });
});

const run = <T>(program: string) =>
  pythonClient<T>(program, folder, { CUPEL_URL: live.address, CUPEL_USER: USER, CUPEL_PASSWORD: PASSWORD });

describeWithTools("columns by the Python client", { needed: ["python3"] }, () => {
  test("are read as chosen, for a table and for a training on its dataset", async () => {
    const program = `
rows = [{"oil": -9999 if at % 9 == 0 else at % 60, "plant": at % 3 + 1, "label": "big" if at % 60 > 30 else "small"} for at in range(200)]
cupel = Cupel()
own = cupel.upload(rows, "label", kind={"plant": "category"}, missing_in={"oil": "-9999", "plant": []})
seen = [own.info["columnChoices"], [[one["kind"], one["missing"]] for one in own.info["columns"][:2]]]
trained = own.train(scaling=0, missing_in={"oil": [-9999, "none"]}).training
seen += [trained.info["columnChoices"], cupel.train(rows, "label", scaling=0, kind={"plant": "text"}).training.info["columnChoices"]]
for ask in (lambda: cupel.train(own, missing=["x"]), lambda: cupel.refine(own, header=False), lambda: cupel.upload(rows, "label", missing_in={"age": "?"})):
    try:
        ask()
    except CupelError as error:
        seen.append(error.detail)`;
    expect(await run<unknown>(program)).toEqual([
      [
        { name: "plant", kind: "category", missingTexts: [] },
        { name: "oil", missingTexts: ["-9999"] },
      ],
      [
        ["number", 23],
        ["category", 0],
      ],
      [{ name: "oil", missingTexts: ["-9999", "none"] }],
      [{ name: "plant", kind: "text" }],
      "A dataset has its settings already: leave out missing.",
      "A dataset has its settings already: leave out header.",
      expect.stringContaining('The file has no column "age" to choose for.'),
    ]);
  });
});
