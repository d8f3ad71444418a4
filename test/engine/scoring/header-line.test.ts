// A header that stands below other lines is found, and named in the refusal.
import { expect, test } from "bun:test";
import { readCsv } from "../../../engine/csv/read.ts";
import { ColumnMismatch } from "../../../engine/scoring/column-mismatch.ts";
import { namingHeaderLine } from "../../../engine/scoring/header-line.ts";
import { requireColumns } from "../../../engine/scoring/scorer.ts";

const NEEDED = ["age", "net income", "plan"];

function refusal(text: string, hasHeader = true): ColumnMismatch {
  const chunks = () => [new TextEncoder().encode(text)];
  const start = ({ names }: { names: readonly string[] }) => {
    requireColumns(NEEDED, names);
    return () => undefined;
  };
  try {
    namingHeaderLine(chunks, hasHeader, () => readCsv(chunks, start, hasHeader));
  } catch (error) {
    if (error instanceof ColumnMismatch) return error;
    throw error;
  }
  throw new Error("not refused");
}

test.each([
  ["a title and a blank line", "Report of 2024\n\nid,age,net income,plan\n1,2,3,4\n", 3, "lines"],
  ["a comment", "# exported\r\nage;net income;plan\r\n2;3;4\r\n", 2, "line"],
  ["a padded title, quoted names", 'Report,,\nmade today,,\n"age","net income","plan"\n2,3,4\n', 3, "lines"],
  ["most of the names", "Report\tof\tall\nage\tnet income\tPlan\n2\t3\t4\n", 2, "line"],
])("%s", (_, text, line, lines) => {
  const { message, missing } = refusal(text);
  expect(message).toBe(
    `The first line lacks columns that the model needs, but line ${line} has them, so it seems to be the header. ` +
      `Remove the ${lines} above it.`,
  );
  expect(missing).toEqual(NEEDED);
});

test("where no line has the names, or none is looked for, the columns are named", () => {
  const columns = "The file lacks 3 of the 3 columns";
  expect(refusal("x,y,z\n1,age,3\n").message).toContain(columns);
  expect(refusal("age,net income,x\n1,2,plan\n").message).toContain("lacks 1 of the 3");
  expect(refusal("Report\nage,net income,plan\n", false).message).toContain(columns);
});
