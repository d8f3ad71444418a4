// The readers over HTTP: as they stand in the repository, for everybody who may read models.
import { expect } from "bun:test";
import { READER_NAMES, READERS } from "../../../src/exporting/readers.ts";
import { describeScenarios, startApi } from "../../support/api.ts";

const PATH = "/api/v1/readers";

describeScenarios("readers", () => startApi(), [
  ...READER_NAMES.map((name) => ({
    name: `for ${name}`,
    method: "GET",
    path: `${PATH}/${name}`,
    as: "ada" as const,
    expect: {
      status: 200,
      headers: { "content-disposition": `attachment; filename="${READERS[name].fileName}"` },
      effect: async (_: unknown, __: unknown, body: unknown) => {
        expect(body).toBe(await READERS[name].text());
        expect(body).toMatch(/\.cupel|cupel_load/);
      },
    },
  })),
  {
    name: "are of known languages",
    method: "GET",
    path: `${PATH}/cobol`,
    as: "ada",
    expect: { status: 400, code: "VALIDATION_FAILED", fields: ["language"] },
  },
]);
