// Creating refinements over HTTP: the answer, the defaults, and every limit of every field.
import { expect, test } from "bun:test";
import { listRefinements } from "../../../data/refinements/refinements.ts";
import { ALL, addRefinement } from "../../data/state.ts";
import { describeScenarios, type Expected, type Scenario, startApi, type TestApi, withApi } from "../../support/api.ts";
import { addRunAt } from "./intake.ts";

const RUNS = "/api/v1/feature-refinery";
const BASE = `http://localhost${RUNS}`;

const runsOf = (api: TestApi) => listRefinements(api.database, api.ada.key, ALL).items;
const signedFor = (key: string, kind: string) =>
  new RegExp(
    `^http://localhost/api/v1/uploads/${key}/${kind}\\?expires=\\d+&least=10&most=534773760&signature=[\\w-]+$`,
  );

function create(name: string, body: unknown, expected: Expected, more: Partial<Scenario> = {}): Scenario {
  return { name, method: "POST", path: RUNS, as: "ada", body, expect: expected, ...more };
}

const created = (stored: object): Expected => ({
  status: 201,
  body: { status: "PENDING" },
  effect: (api) => expect(runsOf(api)).toMatchObject([{ state: "PENDING", ...stored }]),
});
const refused = (...fields: string[]): Expected => ({
  status: 400,
  code: "VALIDATION_FAILED",
  fields,
  effect: (api) => expect(runsOf(api)).toEqual([]),
});

describeScenarios("creating a refinement", startApi, [
  create(
    "answers as the contract has it",
    { name: "churn" },
    {
      status: 201,
      effect: (api, response, body) => {
        const { key } = runsOf(api)[0]!;
        expect(body).toEqual({
          featureRefinementKey: key,
          status: "PENDING",
          uploadTargets: ["TRAIN", "TEST"].map((kind) => ({
            kind,
            url: expect.stringMatching(signedFor(key, kind)),
            requiredHeader: "x-cupel-content-length-range: 10,534773760",
          })),
          startUrl: `${BASE}/${key}/start`,
          progressUrl: `${BASE}/${key}/progress`,
        });
        expect(response.headers.get("location")).toBe(`${BASE}/${key}/progress`);
        expect(api.told).toEqual([]);
      },
    },
  ),
  create(
    "without anything has its defaults and a name of the time",
    {},
    created({
      name: expect.stringMatching(/^refinement-\d{8}-\d{6}-[0-9a-f]{4}$/),
      trainFileName: null,
      testFileName: null,
      numberOfBuckets: 20,
      labelColumn: null,
      positiveLabel: null,
      missingValues: null,
      removeLeaks: false,
      seed: 1,
    }),
  ),
  create(
    "keeps what is asked for",
    {
      name: "churn",
      trainFileName: "träin <1>.csv",
      testFileName: "../test.csv",
      numberOfBuckets: 4,
      labelColumn: "left",
      positiveLabel: "no",
      missingValues: ["-", ""],
      removeLeaks: true,
    },
    created({
      name: "churn",
      trainFileName: "träin <1>.csv",
      testFileName: "../test.csv",
      numberOfBuckets: 4,
      labelColumn: "left",
      positiveLabel: "no",
      missingValues: ["-", ""],
      removeLeaks: true,
    }),
  ),
  ...["a", "A-z_0 9", "n".repeat(100)].map((name) => create(`name ${name}`, { name }, created({ name }))),
  create("trims the name", { name: "  churn " }, created({ name: "churn" })),
  ...["", " ", "   ", "n".repeat(101), "a.b", "a/b", "<b>", "ä", "a\n", "a\u0000", 7, null, ["a"]].map((name) =>
    create(`name ${JSON.stringify(name)} is refused`, { name }, refused("name")),
  ),
  ...["trainFileName", "testFileName"].flatMap((field) => [
    create(`${field} of 260 characters`, { [field]: "f".repeat(260) }, created({ [field]: "f".repeat(260) })),
    create(`${field} of 261 is refused`, { [field]: "f".repeat(261) }, refused(field)),
    create(`${field} null is refused`, { [field]: null }, refused(field)),
  ]),
  ...[4, 10, 20].map((numberOfBuckets) =>
    create(`numberOfBuckets ${numberOfBuckets}`, { numberOfBuckets }, created({ numberOfBuckets })),
  ),
  ...["10", 5, 0, -4, 10.5, 21, 1000, null, true, [10]].map((numberOfBuckets) =>
    create(
      `numberOfBuckets ${JSON.stringify(numberOfBuckets)} is refused`,
      { numberOfBuckets },
      refused("numberOfBuckets"),
    ),
  ),
  create(
    "labelColumn of 1000 characters",
    { labelColumn: "c".repeat(1000) },
    created({ labelColumn: "c".repeat(1000) }),
  ),
  create("labelColumn of 1001 is refused", { labelColumn: "c".repeat(1001) }, refused("labelColumn")),
  create("an empty labelColumn is refused", { labelColumn: "" }, refused("labelColumn")),
  create("an empty positiveLabel is refused", { positiveLabel: "" }, refused("positiveLabel")),
  create("51 missingValues are refused", { missingValues: Array(51).fill("-") }, refused("missingValues")),
  create("a number among missingValues is refused", { missingValues: ["-", 9] }, refused("missingValues.1")),
  create("removeLeaks as a text is refused", { removeLeaks: "true" }, refused("removeLeaks")),
  create("all that is wrong is told at once", { name: "a.b", numberOfBuckets: 5 }, refused("name", "numberOfBuckets")),
  create(
    "a name is taken once, blanks aside",
    { name: " churn" },
    { status: 409, code: "NAME_TAKEN", fields: ["name"] },
    {
      before: (api) => addRefinement(api.database, api.ada.key, { name: "churn" }, api.services.now()),
    },
  ),
  create(
    "names differ by case",
    { name: "Churn" },
    { status: 201 },
    {
      before: (api) => addRefinement(api.database, api.ada.key, { name: "churn" }, api.services.now()),
    },
  ),
  create("another user's names are free", { name: "churn" }, created({ name: "churn" }), {
    before: (api) => addRefinement(api.database, api.bob.key, { name: "churn" }, api.services.now()),
  }),
  create("the name of a deleted run is free", { name: "churn" }, created({ name: "churn" }), {
    before: async (api) => {
      const { key } = addRunAt(api, "ada", "REFINEMENT_COMPLETED", { name: "churn" });
      expect((await api.request("DELETE", `${RUNS}/${key}`, { as: "ada" })).status).toBe(204);
    },
  }),
]);

test("the names of runs of one second are different", () =>
  withApi(async (api) => {
    for (let count = 0; count < 20; count++) {
      expect((await api.request("POST", RUNS, { as: "ada", body: {} })).status).toBe(201);
    }
    expect(new Set(runsOf(api).map(({ name }) => name)).size).toBe(20);
  }));
