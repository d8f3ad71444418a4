// A file in another encoding than UTF-8: the warning shows a name or a label, by which people see whether it is right.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { neverStop } from "../../../engine/stop-signal.ts";
import { profileFile } from "../../../workers/reading/profile-file.ts";
import { testFolder } from "../../support/folders.ts";

const folder = testFolder();
function warningsOf(text: string): string[] {
  const path = join(folder, "table.csv");
  writeFileSync(path, Buffer.from(text, "latin1"));
  const { report } = profileFile({ path, label: null, missingMarkers: null }, neverStop, 0);
  return report.warnings.map(({ message }) => message);
}

const READ = "so the file was read as windows-1252. Save it as UTF-8 if letters look wrong.";

test.each([
  ["a name", "mìsto,y\n1,ja\n2,nein\n", `Line 1 is not valid UTF-8, ${READ} It has "mìsto".`],
  ["a label", "x,y\n1,Zürich\n2,Bern\n", `Line 2 is not valid UTF-8, ${READ} It has "Zürich".`],
  [
    "a byte that windows-1252 does not define",
    "né,\u0082\u0090,y\n1,2,a\n2,3,b\n",
    `Line 1 is not valid UTF-8, ${READ} It has "‚\u0090", so it is probably Shift-JIS, GBK or another encoding.`,
  ],
  ["no cell of a feature", "x,y\nMüller,a\nMaier,b\n", `Line 2 is not valid UTF-8, ${READ}`],
])("shows %s", (_, text, message) => {
  expect(warningsOf(text)).toEqual([message]);
});

test("a file of ASCII has no warning", () => {
  expect(warningsOf("x,y\n1,a\n2,b\n")).toEqual([]);
});
