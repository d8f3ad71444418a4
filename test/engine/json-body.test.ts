// JSON bodies as values: what `test/src/receiving/bodies.test.ts` does not ask of a whole request.
import { expect, test } from "bun:test";
import { parseJson } from "../../engine/json-body.ts";

test("in a body of megabytes the place of a fault is not looked for", () => {
  const body = new TextEncoder().encode(`[${"1,".repeat(1024 * 1024)}`);
  expect(() => parseJson(body, 32)).toThrow(/^The body is not JSON\.$/);
});
