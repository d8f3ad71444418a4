// Names and notes of models and their versions over HTTP.
import { describe, expect, test } from "bun:test";
import { listAudit } from "../../../data/audit.ts";
import { deleteModel, findOwnedModel } from "../../../data/models.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addScorer } from "./service.ts";

const NAME = "churn, spring";
const NOTE = "Without the survey.\r\n\tSee the report.";

const modelPath = (api: TestApi) => `/api/v1/models/${addScorer(api, "ada").modelKey}`;
const versionPath = (version: number | string) => (api: TestApi) => `${modelPath(api)}/versions/${version}`;
const patch = (name: string, body: object, expected: Expected, path: Scenario["path"] = modelPath): Scenario => ({
  name,
  method: "PATCH",
  path,
  as: "ada",
  body,
  expect: expected,
});
const refused = (field: string): Expected => ({ status: 400, code: "VALIDATION_FAILED", fields: [field] });
const details = ({ database }: TestApi) =>
  database.client
    .query<{ detail: string }, []>("SELECT detail FROM auditEvents WHERE action = 'MODEL_NAMED' ORDER BY id")
    .all()
    .map(({ detail }) => detail);

describeScenarios("naming a model", startApi, [
  patch(
    "a name and a note",
    { name: NAME, note: NOTE },
    {
      status: 200,
      body: { name: NAME, note: NOTE, version: 1, versions: [{ name: null, note: null }, {}, {}] },
      effect: (api) => expect(details(api)).toEqual(["name note"]),
    },
  ),
  patch("blanks around it go", { name: `  ${NAME} ` }, { status: 200, body: { name: NAME, note: null } }),
  patch(
    "nothing changes nothing",
    {},
    { status: 200, body: { name: null }, effect: (api) => expect(details(api)).toEqual([]) },
  ),
  patch("80 characters", { name: "ü".repeat(80) }, { status: 200 }),
  patch("2,000 characters", { note: "x".repeat(2_000) }, { status: 200 }),
  ...[81, 0].map((length) => patch(`${length} characters`, { name: "x".repeat(length) }, refused("name"))),
  patch("2,001 characters", { note: "x".repeat(2_001) }, refused("note")),
  ...["a\nb", "a\u0000", "a\u2028b", "   ", 7].map((name) =>
    patch(`the name ${JSON.stringify(name)}`, { name }, refused("name")),
  ),
  ...["a\u0000", "\u001b[2J", " \n "].map((note) =>
    patch(`the note ${JSON.stringify(note)}`, { note }, refused("note")),
  ),
  patch("a deleted one", { name: NAME }, { status: 404, code: "NOT_FOUND" }, (api) => {
    const { modelKey } = addScorer(api, "ada");
    deleteModel(api.database, api.ada.key, modelKey, api.services.now());
    return `/api/v1/models/${modelKey}`;
  }),
  patch(
    "a version",
    { name: "for the call centre", note: "Fewer columns." },
    {
      status: 200,
      body: { name: null, versions: [{}, { version: 2, name: "for the call centre", note: "Fewer columns." }, {}] },
      effect: (api) => expect(details(api)).toEqual(["v2 name note"]),
    },
    versionPath(2),
  ),
  patch("a version of nobody", { name: NAME }, { status: 404, code: "NOT_FOUND" }, (api) => {
    const { modelKey } = addScorer(api, "ada");
    api.database.client.run("DELETE FROM modelVersions WHERE version = 3");
    return `/api/v1/models/${modelKey}/versions/3`;
  }),
  patch("version 4", { name: NAME }, refused("version"), versionPath(4)),
]);

describe("a name", () => {
  test("is removed by null, stays where it is left out, and is in no audit event", () =>
    withApi(async (api) => {
      const path = modelPath(api);
      const key = path.split("/").at(-1)!;
      await api.request("PATCH", path, { as: "ada", body: { name: NAME, note: "why" } });
      await api.request("PATCH", path, { as: "ada", body: { name: null } });
      expect(findOwnedModel(api.database, api.ada.key, key)!.model).toMatchObject({ name: null, note: "why" });
      expect(details(api)).toEqual(["name note", "name removed"]);
      const events = listAudit(api.database, {}, { offset: 0, limit: 100 });
      expect(events.total).toBe(2);
      expect(JSON.stringify(events)).not.toContain("spring");
    }));
});
