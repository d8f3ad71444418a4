// The question before a delete says how long the files stay.
import { expect, test } from "bun:test";
import { type DeletedKind, keptFilesWords } from "../../../src/words/kept-files.ts";

test.each<[DeletedKind, number | null, string]>([
  ["dataset", null, "Its file is removed within minutes."],
  ["dataset", 0, "Its file is removed within minutes."],
  ["dataset", 1, "Its file stays on the server for 1 day, then it is removed."],
  ["dataset of a refinement", 30, "Its file is the refinement's, and stays with that."],
  ["refinement", null, "Its files stay on the server."],
  ["refinement", 0, "Its own files are removed within minutes."],
  ["refinement", 30, "Its own files stay on the server for 30 days, then they are removed."],
])("%s, kept for %p days", (kind, days, words) => {
  expect(keptFilesWords(kind, days)).toBe(words);
});
