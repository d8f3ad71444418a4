// Result files for spreadsheets: asked for by the query, disarmed on the
// way out, and never mixed up with the exact ones.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { statePaths } from "../../../data/files/state-folder.ts";
import { findRefinementFile } from "../../../data/refinements/refinement-files.ts";
import { expectAnswer, type TestApi, withApi } from "../../support/api.ts";
import { addRunAt } from "./intake.ts";
import { addPredictionIn, addScorer } from "./service.ts";

const withoutFaults = (use: (api: TestApi) => Promise<void>) =>
  withApi(async (api) => {
    await use(api);
    expect(api.faults).toEqual([]);
  });

const RISKY =
  'note,"=cmd|\' /C calc\'!A0",prediction\n"=HYPERLINK(""http://x"",""y"")",-5,=no\n"a;=1\n+2",\ufeffé,+yes\n';
const SAFE =
  'note,"\'=cmd|\' /C calc\'!A0",prediction\n"\'=HYPERLINK(""http://x"",""y"")",-5,\'=no\n"a;\'=1\n+2",\ufeffé,\'+yes\n';

/** Paths of a prediction's result, twice, and of a reduced file, all with cells that a spreadsheet would run. */
function addRiskyFiles(api: TestApi): string[] {
  const predictionKey = addPredictionIn(api, addScorer(api, "ada").modelKey, "COMPLETED");
  writeFileSync(api.state.locate(statePaths.result(predictionKey)), RISKY);
  const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED");
  const file = findRefinementFile(api.database, api.ada.key, key, "TRAIN", "RESULT")!;
  writeFileSync(api.state.locate(file.path), RISKY);
  return [
    `/api/v1/predictions/${predictionKey}`,
    `/api/v1/predictions/${predictionKey}/file`,
    `/api/v1/feature-refinery/${key}/files/TRAIN`,
  ];
}

test("a result is given exactly, or with nothing in it that a spreadsheet would run", () =>
  withoutFaults(async (api) => {
    for (const path of addRiskyFiles(api)) {
      const ask = (query: string, headers: Record<string, string> = {}) =>
        api.request("GET", `${path}${query}`, { as: "ada", headers: { accept: "text/csv", ...headers } });
      const exact = await ask("?spreadsheetSafe=false");
      expect([exact.status, await exact.text()]).toEqual([200, RISKY]);
      const safe = await ask("?spreadsheetSafe=true");
      expect([safe.status, await safe.text()]).toEqual([200, SAFE]);
      expect(safe.headers.get("content-disposition")).toBe(exact.headers.get("content-disposition")!);
      const tags = [exact, safe].map(({ headers }) => headers.get("etag")!);
      expect(tags[0]).not.toBe(tags[1]);
      expect((await ask("?spreadsheetSafe=true", { "if-none-match": tags[1]! })).status).toBe(304);
      expect((await ask("?spreadsheetSafe=true", { "if-none-match": tags[0]! })).status).toBe(200);
      const part = await ask("?spreadsheetSafe=true", { range: "bytes=0-3" });
      expect([part.status, part.headers.get("accept-ranges"), await part.text()]).toEqual([200, "none", SAFE]);
      expect((await ask("", { range: "bytes=0-3" })).status).toBe(206);
      await expectAnswer(api, await ask("?spreadsheetSafe=1"), { status: 400, fields: ["spreadsheetSafe"] });
    }
  }));

test("a large one comes whole over a real connection, cut in the middle of letters and quoted cells", () =>
  withoutFaults(async (api) => {
    const [, path] = addRiskyFiles(api) as [string, string];
    const key = path.split("/")[4]!;
    const line = '"é;=1, ""x""",=é\n';
    writeFileSync(api.state.locate(statePaths.result(key)), line.repeat(40_000));
    const { origin } = api.listen();
    const headers = { authorization: `Bearer ${await api.tokenOf("ada")}` };
    const response = await fetch(`${origin}${path}?spreadsheetSafe=true`, { headers });
    expect((await response.text()) === '"é;\'=1, ""x""",\'=é\n'.repeat(40_000)).toBeTrue();
    const head = await fetch(`${origin}${path}?spreadsheetSafe=true`, { headers, method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  }));
