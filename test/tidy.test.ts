// The house rules as a test: who may import whom, how long files and functions may be, how files begin.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "..");
const ROOMS = ["engine", "data", "workers", "src", "test"] as const;
type Room = (typeof ROOMS)[number];

const MAY_IMPORT: Record<Room, readonly Room[]> = {
  engine: [],
  data: ["engine"],
  workers: ["engine"],
  src: ["data", "workers", "engine"],
  test: ["data", "workers", "engine", "src"],
};
const MOST_COLUMNS = 120;
const MOST_FILE_LINES = 350;
const MOST_FUNCTION_LINES = 80;
const MOST_FOLDER_LEVELS = 3;
const MOST_FOLDER_FILES = 25;
const ENGINE_PACKAGES = ["papaparse", "ml-matrix", "ml-random-forest", "ml-naivebayes", "ml-logistic-regression"];

interface Source {
  path: string;
  room: Room;
  text: string;
  imports: string[];
}

const sources: Source[] = [...new Glob(`{${ROOMS.join(",")}}/**/*.{ts,tsx}`).scanSync(ROOT)].sort().map((path) => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|^import "([^"]+)"/gms)];
  return { path, room: path.split("/")[0] as Room, text, imports: imports.map((match) => (match[1] ?? match[2])!) };
});

/**
 * What runs in browsers, and what of the other rooms it may take along: the
 * pure parts, which do not know where they run.
 */
const IN_BROWSERS = /^src\/(browser|components|screens)\//;
const ALSO_IN_BROWSERS = new RegExp(
  [
    "^(engine/",
    "data/database/audit-actions.ts$",
    "src/common/(format|limits|markup|numbers|printable).ts$",
    "src/http/problem-codes.ts$",
    "src/api/refinements/refinement-answers.ts$",
    "src/(charts|report|summary|verdict|words)/)",
  ].join("|"),
);

describe("structure", () => {
  test("what runs in browsers takes along nothing of the server but types", () => {
    const wrong = sources
      .filter(({ path }) => IN_BROWSERS.test(path))
      .flatMap(({ path, text }) => {
        const taken = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?\bfrom "(\.[^"]+)"/gms)].map(([, name]) =>
          normalize(join(dirname(path), name!)),
        );
        const isAllowed = (target: string) => IN_BROWSERS.test(target) || ALSO_IN_BROWSERS.test(target);
        return taken.filter((target) => !isAllowed(target)).map((target) => `${path} imports ${target}`);
      });
    expect(wrong).toEqual([]);
  });

  test("there are sources in every room", () => {
    for (const room of ROOMS) expect(sources.filter((source) => source.room === room)).not.toBeEmpty();
  });

  test("rooms import only the rooms below them", () => {
    const wrong = sources.flatMap(({ path, room, imports }) =>
      imports
        .filter((name) => name.startsWith("."))
        .flatMap((name) => {
          const target = normalize(join(dirname(path), name)).split("/")[0]!;
          const isAllowed =
            target === room || ["package.json", "docs"].includes(target) || MAY_IMPORT[room].includes(target as Room);
          return isAllowed ? [] : [`${path} imports ${name}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    const targets = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.filter((name) => name.startsWith(".")).map((name) => normalize(join(dirname(path), name))),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of targets.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });

  test("the folders of a room import each other in one direction only", () => {
    // A folder stands for those inside it: src/api for src/api/models.
    const folderOf = (path: string) => path.split("/").slice(0, -1).slice(0, 2).join("/");
    const imported = new Map<string, Map<string, string>>();
    for (const { path, room, imports } of sources) {
      if (room === "test") continue;
      const from = folderOf(path);
      for (const name of imports.filter((name) => name.startsWith("."))) {
        const target = folderOf(normalize(join(dirname(path), name)));
        if (target === from) continue;
        const ways = imported.get(from) ?? new Map<string, string>();
        imported.set(from, ways.set(target, `${path} → ${name}`));
      }
    }
    const reachable = (from: string, known = new Set<string>()) => {
      for (const next of imported.get(from)?.keys() ?? []) if (!known.has(next)) reachable(next, known.add(next));
      return known;
    };
    const circles = [...imported].flatMap(([from, ways]) =>
      [...ways].flatMap(([target, example]) => (reachable(target).has(from) ? [example] : [])),
    );
    expect(circles).toEqual([]);
  });

  test("the engine is pure: no platform, no clock, no unseeded randomness", () => {
    const wrong = sources
      .filter(({ room }) => room === "engine")
      .flatMap(({ path, text, imports }) => {
        const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
        const platform =
          /\b(Bun|process|Date\.now|new Date\(\)|performance\.now|Math\.random|console|setTimeout|fetch)\b/.exec(code);
        const packages = imports.filter((name) => !name.startsWith(".") && !ENGINE_PACKAGES.includes(name));
        return [...(platform ? [`${path}: ${platform[0]}`] : []), ...packages.map((name) => `${path}: ${name}`)];
      });
    expect(wrong).toEqual([]);
  });

  test("papaparse is known to one file", () => {
    expect(sources.filter(({ room, imports }) => room !== "test" && imports.includes("papaparse"))).toHaveLength(1);
  });

  test("every file begins by saying what it holds", () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/\/ \S.{10,}/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  test("comments begin with their subject, not with Of or What", () => {
    const roundabout = sources
      .filter(({ room }) => room !== "test")
      .flatMap(({ path, text }) =>
        (text.match(/^\s*(?:\/\/|\/?\*\*?) (?:Of|What) .*/gm) ?? []).map((line) => `${path}: ${line}`),
      );
    expect(roundabout).toEqual([]);
  });

  test("comments keep to the width of the code", () => {
    const wide = sources
      .filter(({ room }) => room !== "test")
      .flatMap(({ path, text }) =>
        (text.match(/^\s*(?:\/\/|\/?\*\*?) .*/gm) ?? [])
          .map((line) => line.replace(/^\n+/, ""))
          .filter((line) => line.length > MOST_COLUMNS)
          .map((line) => `${path}: ${line}`),
      );
    expect(wide).toEqual([]);
  });

  test("files and functions stay short", () => {
    const long = sources
      .filter(({ room }) => room !== "test")
      .flatMap(({ path, text }) => {
        const lines = text.split("\n");
        const tooLong = lines.length > MOST_FILE_LINES ? [`${path}: ${lines.length} lines`] : [];
        return [...tooLong, ...longFunctions(lines).map((found) => `${path}: ${found}`)];
      });
    expect(long).toEqual([]);
  });

  test("folders are at most three levels deep", () => {
    const deep = sources.filter(({ path, room }) => room !== "test" && path.split("/").length - 1 > MOST_FOLDER_LEVELS);
    expect(deep.map(({ path }) => path)).toEqual([]);
  });

  test("no folder holds more files than a reader takes in at once", () => {
    const folders = Map.groupBy(
      sources.filter(({ room }) => room !== "test"),
      ({ path }) => dirname(path),
    );
    const full = [...folders].filter(([, files]) => files.length > MOST_FOLDER_FILES);
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
  });
});

/**
 * Functions and methods by their indentation: from a line that opens a body
 * to the closing brace below its first letter.
 */
function longFunctions(lines: readonly string[]): string[] {
  const found: string[] = [];
  lines.forEach((line, start) => {
    const opening =
      /^(\s*)(?:export )?(?:async )?(?:private |static )?(?:function\*? |async |\*)?([A-Za-z]\w*)\(.*\{$/.exec(line);
    if (opening === null || /^(if|for|while|switch|catch)$/.test(opening[2]!)) return;
    const end = lines.findIndex(
      (candidate, index) => index > start && candidate.replace(/,$/, "") === `${opening[1]}}`,
    );
    if (end - start > MOST_FUNCTION_LINES) found.push(`${opening[2]} has ${end - start} lines`);
  });
  return found;
}

describe("documents", () => {
  const MOST_COLUMNS = 120;
  const PATHS = ["*.md", "docs/*.md", "test/bench/*.md"].flatMap((path) => [...new Glob(path).scanSync(ROOT)]);

  test("keep to the width of the code, but for tables, pictures and blocks of code", () => {
    expect(PATHS.length).toBeGreaterThan(10);
    const wide = PATHS.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
      return text.split("\n").filter((line) => line.length > MOST_COLUMNS && !/^(\||!\[|<img)/.test(line));
    });
    expect(wide).toEqual([]);
  });
});

describe("decisions", () => {
  const CITED = /\bD\d{2,3}\b/g;
  const written = readFileSync(join(ROOT, "docs/decisions.md"), "utf8");

  test("every number that the source cites stands in docs/decisions.md, once", () => {
    const known = [...written.matchAll(/^## (D\d+) \S/gm)].map(([, number]) => number!);
    expect(new Set(known).size).toBe(known.length);
    const cited = sources
      .filter(({ room }) => room !== "test")
      .flatMap(({ path, text }) =>
        [...text.matchAll(CITED)].filter(([number]) => !known.includes(number)).map(([number]) => `${path}: ${number}`),
      );
    expect(cited).toEqual([]);
  });

  test("the index by topic names every decision once", () => {
    const entries = [...written.matchAll(/^## (D\d+)/gm)].map(([, number]) => number!);
    const index = written.split("\n").filter((line) => line.startsWith("|"));
    expect(index.flatMap((line) => line.match(CITED) ?? []).sort()).toEqual(entries.sort());
  });
});

describe("the map of the house", () => {
  const PAGES = ["ARCHITECTURE.md", "docs/inside.md", "docs/words.md"];
  const MOST_PAGE_CHARS = 9_000;
  const MOST_CELL_CHARS = 300;

  test("every path on it exists", () => {
    const missing = PAGES.flatMap((page) => {
      const text = readFileSync(join(ROOT, page), "utf8");
      const paths = [...text.matchAll(/`((?:engine|data|workers|src|test)\/[\w./-]*)`|\b(docs\/[\w-]+\.md)/g)];
      return paths.map(([, path, doc]) => (path ?? doc)!).filter((path) => !existsSync(join(ROOT, path)));
    });
    expect(missing).toEqual([]);
  });

  test("a page stays a page, and a table cell a line or two", () => {
    for (const page of PAGES) {
      const text = readFileSync(join(ROOT, page), "utf8");
      expect(text.length).toBeLessThanOrEqual(MOST_PAGE_CHARS);
      const cells = text
        .split("\n")
        .filter((line) => line.startsWith("|"))
        .flatMap((line) => line.split("|"));
      expect(cells.filter((cell) => cell.length > MOST_CELL_CHARS)).toEqual([]);
    }
  });
});
