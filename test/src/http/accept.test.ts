// Which form of an answer a client likes best.
import { expect, test } from "bun:test";
import { preferredForm } from "../../../src/http/accept.ts";

const FORMS = ["application/json", "text/csv"];

test.each([
  [null, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; header=present", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, application/json", "application/json"],
  ["application/json;q=0.5, text/csv", "text/csv"],
  ["*/*;q=0.1, text/csv", "text/csv"],
  ["application/json;q=0, */*", "text/csv"],
  ["application/json;q=0, */*;q=0", null],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["text/html", null],
  ["application/json;q=high", null],
  [",,,", null],
])("%j", (accept, form) => {
  expect(preferredForm(accept, FORMS)).toBe(form);
});
