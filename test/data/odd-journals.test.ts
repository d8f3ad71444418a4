// Journals that nobody wrote, with checksums that are right: what cannot be an
// answer counts as not there, and nothing is thrown.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openUnitJournal } from "../../data/files/unit-journal.ts";
import { crc32 } from "../../engine/arrays/crc32.ts";
import { withFolder } from "../support/folders.ts";

const lineOf = (json: string) => `${crc32(new TextEncoder().encode(json)).toString(16).padStart(8, "0")} ${json}\n`;

const ODD_ANSWERS = [
  ...[
    '{"$":1}',
    '{"$":null}',
    '{"$":["array"]}',
    '{"$":["array","constructor","AAAA"]}',
    '{"$":["object"]}',
    '{"$":{}}',
  ],
  ...['{"$":["array","Float64Array","AAAA"]}', '{"$":["array","Uint8Array",7]}', '{"$":["object",null]}', "[[[[1]]]]"],
  ...[
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    "1e999",
    `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
  ],
];

test("every answer is found whole or not at all", () =>
  withFolder(async (folder) => {
    const path = join(folder, "units");
    const header = 'CUPEL UNIT JOURNAL 1 "run"\n';
    for (const answer of ODD_ANSWERS) {
      writeFileSync(path, `${header}${lineOf(`["odd",${answer}]`)}${lineOf('["next",{"sound":1}]')}`);
      const journal = openUnitJournal(path, "run");
      journal.find("odd");
      expect(journal.find("next")).toEqual({ sound: 1 });
      journal.append("odd", "done again");
      expect(journal.find("odd")).toBe("done again");
      journal.close();
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }));

test("any text under a right checksum is no reason to throw", () =>
  withFolder(async (folder) => {
    const path = join(folder, "units");
    const text = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("[]", "null", '["a"]', "[1,2]", '{"0":"a"}'),
    );
    fc.assert(
      fc.property(
        fc.array(
          text.filter((json) => !json.includes("\n")),
          { maxLength: 6 },
        ),
        (lines) => {
          writeFileSync(path, `CUPEL UNIT JOURNAL 1 "run"\n${lines.map(lineOf).join("")}`);
          const journal = openUnitJournal(path, "run");
          for (const unitId of ["a", "", "0", "__proto__"]) journal.find(unitId);
          journal.append("a", 1);
          expect(journal.find("a")).toBe(1);
          journal.close();
        },
      ),
    );
  }));
