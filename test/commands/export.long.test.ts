// `cupel export`: what it writes, what it refuses, and that nothing is left of what failed.
import { beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkFile } from "../../engine/export/check-file.ts";
import { packModel, unpackModel } from "../../engine/model/model-file.ts";
import type { Forest } from "../../engine/trees/forest.ts";
import type { ExportedFile } from "../../src/exporting/exported-file.ts";
import { TARGET_NAMES, TARGETS } from "../../src/exporting/targets.ts";
import { writeFiles, writeFolder } from "../../src/exporting/write-export.ts";
import { exportCommand, OTHER_FORMS } from "../../src/words/other-forms.ts";
import { testFolder } from "../support/folders.ts";
import { scoreOnnx, withOnnx } from "../support/onnx.ts";
import { runProgramNow } from "../support/programs.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const FIXTURES = join(import.meta.dir, "../fixtures");
const FIXTURE = join(FIXTURES, "models/credit_g-extra-trees.cupel");
const folders = testFolder();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(folders, "each-"));
  copyFileSync(FIXTURE, join(folder, "model.cupel"));
});

const cupel = (...args: readonly string[]) => runProgramNow([process.execPath, MAIN, ...args], { folder });

const files = () => readdirSync(folder).sort();

describe("cupel export", () => {
  test("writes rows and the engine's answers, and leaves the model as it was", () => {
    const { out, err, code } = cupel("export", "model.cupel", "--to", "check");
    expect([out, err, code]).toEqual(["Wrote model.check.json\n", "", 0]);
    expect(files()).toEqual(["model.check.json", "model.cupel"]);
    const bytes = readFileSync(FIXTURE);
    const written = JSON.parse(readFileSync(join(folder, "model.check.json"), "utf8"));
    expect(written).toEqual(checkFile(unpackModel(bytes)));
    expect(readFileSync(join(folder, "model.cupel")).equals(bytes)).toBe(true);
  });

  test("writes where --out says", () => {
    mkdirSync(join(folder, "out"));
    expect(cupel("export", "model.cupel", "--to", "check", "--out", "out/mine.json").code).toBe(0);
    expect(readdirSync(join(folder, "out"))).toEqual(["mine.json"]);
  });

  test("--help names every format", () => {
    const { out } = cupel("export", "--help");
    for (const name of TARGET_NAMES) expect(out).toContain(`${name.padEnd(11)} ${TARGETS[name].summary}`);
  });

  test("refuses an unknown format, what is there already and a missing folder", () => {
    const unknown = cupel("export", "model.cupel", "--to", "pickle");
    expect([unknown.code, unknown.out]).toEqual([3, ""]);
    expect(unknown.err).toContain(`no export format pickle. The formats are: ${TARGET_NAMES.join(", ")}.`);
    writeFileSync(join(folder, "model.check.json"), "mine");
    const there = cupel("export", "model.cupel", "--to", "check");
    expect(there.code).toBe(3);
    expect(there.err).toContain("model.check.json is there already. Remove it, or name another place with --out.");
    expect(readFileSync(join(folder, "model.check.json"), "utf8")).toBe("mine");
    const nowhere = cupel("export", "model.cupel", "--to", "check", "--out", "no/where.json");
    expect([nowhere.code, nowhere.err]).toEqual([3, expect.stringContaining("There is no folder")]);
    const own = cupel("export", "model.cupel", "--to", "check", "--out", "model.cupel");
    expect([own.code, own.err]).toEqual([3, expect.stringContaining("would be overwritten")]);
    expect(files()).toEqual(["model.check.json", "model.cupel"]);
  });

  test("refuses a model that is missing, damaged or newer", () => {
    const bytes = readFileSync(FIXTURE);
    writeFileSync(join(folder, "short.cupel"), bytes.subarray(0, bytes.length - 100));
    writeFileSync(join(folder, "newer.cupel"), bytes.with(8, 99));
    writeFileSync(join(folder, "table.cupel"), "a,b\n1,2\n");
    for (const name of ["none", "short", "newer", "table"]) {
      const { code, err } = cupel("export", `${name}.cupel`, "--to", "check");
      expect([name, code, err]).toEqual([name, 3, expect.stringMatching(/^cupel: \S/)]);
    }
    expect(files()).toEqual(["model.cupel", "newer.cupel", "short.cupel", "table.cupel"]);
  });

  test("refuses an option of another format, and a version that there is not", () => {
    const { code, err } = cupel("export", "model.cupel", "--to", "check", "--onnx-ml", "5");
    expect([code, err]).toEqual([2, "error: --onnx-ml does not go with --to check.\n"]);
    expect(cupel("export", "model.cupel", "--to", "onnx", "--onnx-ml", "3").code).toBe(2);
    expect(files()).toEqual(["model.cupel"]);
  });

  test.each(["2", "5"])("writes ONNX of version %s with the answers to check it by", async (version) => {
    const { out, code } = cupel("export", "model.cupel", "--to", "onnx", "--onnx-ml", version);
    expect([out, code]).toEqual(["Wrote model.onnx, model.onnx.check.json\n", 0]);
    const { inputs, labels, probabilities } = JSON.parse(readFileSync(join(folder, "model.onnx.check.json"), "utf8"));
    await withOnnx([readFileSync(join(folder, "model.onnx"))], async (session) => {
      const isText = (name: string) => inputs[name].some((value: unknown) => typeof value === "string");
      const found = await scoreOnnx(session, inputs, isText);
      expect([...found.labels]).toEqual(labels);
      expect([...found.probabilities]).toEqual(probabilities.flat());
    });
  });

  test("says why a model of texts does not leave as ONNX", () => {
    copyFileSync(join(FIXTURES, "vectors/terms-two-classes.cupel"), join(folder, "texts.cupel"));
    const { code, err } = cupel("export", "texts.cupel", "--to", "onnx");
    expect([code, err]).toEqual([3, expect.stringContaining('"review" is read as text')]);
    expect(files()).toEqual(["model.cupel", "texts.cupel"]);
  });
});

test.each(Object.keys(OTHER_FORMS))("the dashboard's command for %s makes the export", (form) => {
  const [program, ...args] = exportCommand("model.cupel", form).split(" ");
  const { err, code } = cupel(...args);
  expect([program, err, code]).toEqual(["cupel", "", 0]);
});

describe("cupel export --to sql", () => {
  test("writes a query for the dialect and the table that are named", () => {
    const { out, code } = cupel(
      "export",
      "model.cupel",
      "--to",
      "sql",
      "--dialect",
      "postgres",
      "--table",
      "shop.Rows",
    );
    expect([out, code]).toEqual(["Wrote model.sql, model.sql.check.json\n", 0]);
    expect(readFileSync(join(folder, "model.sql"), "utf8")).toContain('FROM "shop"."Rows" AS');
  });

  test("asks for a dialect that it knows, and a table's name", () => {
    for (const args of [[], ["--dialect", "oracle"], ["--dialect", "duckdb", "--table", "a..b"]]) {
      const { code, err } = cupel("export", "model.cupel", "--to", "sql", ...args);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^error: --t(o sql needs --dialect, one of|able takes a name)/),
      ]);
    }
    expect(files()).toEqual(["model.cupel"]);
  });

  test("names the versions of the same run that fit where the model is too large", () => {
    const file = unpackModel(readFileSync(FIXTURE));
    if (file.model.kind !== "forest") throw new Error("the fixture is of another kind");
    writeFileSync(join(folder, "v2.cupel"), packModel(file));
    const other = { ...file.lineage, trainedOn: { ...file.lineage.trainedOn, sha256: "0".repeat(64) } };
    writeFileSync(join(folder, "v3.cupel"), packModel({ ...file, lineage: other }));
    writeFileSync(join(folder, "none.cupel"), "no model");
    writeFileSync(join(folder, "model.cupel"), packModel({ ...file, model: repeated(file.model, 20) }));
    const { code, err } = cupel("export", "model.cupel", "--to", "sql", "--dialect", "spark");
    expect([code, err]).toEqual([3, expect.stringMatching(/--to onnx\. Of its versions here, v2\.cupel fits\.\n$/)]);
    expect(files()).toEqual(["model.cupel", "none.cupel", "v2.cupel", "v3.cupel"]);
    copyFileSync(join(folder, "model.cupel"), join(folder, "v2.cupel"));
    const none = cupel("export", "model.cupel", "--to", "sql", "--dialect", "spark");
    expect([none.code, none.err]).toEqual([
      3,
      expect.stringMatching(/--to onnx\. Of its versions here, none fits\.\n$/),
    ]);
    rmSync(join(folder, "v2.cupel"));
    expect(cupel("export", "model.cupel", "--to", "sql", "--dialect", "spark").err).toMatch(/--to onnx\.\n$/);
  });
});

/** The trees of a forest, several times one after the other. */
function repeated(forest: Forest, times: number): Forest {
  const { roots, children, features, thresholds } = forest;
  const copies = Array.from({ length: times }, (_, copy) => copy * children.length);
  return {
    ...forest,
    roots: Uint32Array.from(copies.flatMap((first) => Array.from(roots, (root) => root + first))),
    children: Int32Array.from(
      copies.flatMap((first) => Array.from(children, (child) => (child < 0 ? child : child + first))),
    ),
    features: Uint16Array.from(copies.flatMap(() => [...features])),
    thresholds: Uint16Array.from(copies.flatMap(() => [...thresholds])),
  };
}

describe("files of an export", () => {
  const good: ExportedFile = { name: "a.txt", content: "first" };
  const pieces: ExportedFile = { name: "b.bin", content: [Uint8Array.of(1, 2), Uint8Array.of(3)] };
  const late: ExportedFile = { name: "late.bin", content: [Uint8Array.of(1), null as unknown as Uint8Array] };

  test("appear with their content, in a folder or as one", async () => {
    await writeFiles(folder, [good, pieces]);
    await writeFolder(join(folder, "all"), [good, pieces]);
    for (const at of [folder, join(folder, "all")]) {
      expect(readFileSync(join(at, "a.txt"), "utf8")).toBe("first");
      expect([...readFileSync(join(at, "b.bin"))]).toEqual([1, 2, 3]);
    }
  });

  test("leave nothing where one of them fails", async () => {
    const before = files();
    await expect(writeFiles(folder, [late, good])).rejects.toThrow(TypeError);
    await expect(writeFolder(join(folder, "all"), [good, late])).rejects.toThrow(TypeError);
    await Promise.allSettled([writeFiles(folder, [late, good]), writeFolder(join(folder, "all"), [good, late])]);
    expect(files()).toEqual(before);
  });

  test("a full disk is said so, and leaves nothing", () => {
    // No file of this process may grow beyond a kilobyte, which the system tells it as it tells a full disk.
    const command = `ulimit -f 1; exec "$0" "$1" export model.cupel --to check`;
    const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", command, process.execPath, MAIN], { cwd: folder });
    expect([exitCode, stderr.toString()]).toEqual([3, expect.stringContaining("was full before all was written")]);
    expect(files()).toEqual(["model.cupel"]);
  });
});
