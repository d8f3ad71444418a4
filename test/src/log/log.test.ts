// The log itself: its two forms, its levels, and that it neither loses lines nor harms whoever logs.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { LogLevel } from "../../../src/log/log.ts";
import { createLog } from "../../../src/log/log.ts";
import { withFolder } from "../../support/folders.ts";
import { keepLog } from "../../support/kept-log.ts";

const LOG = JSON.stringify(join(import.meta.dir, "../../../src/log/log.ts"));
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

/** Runs a script that has a log to standard error. */
function runWithLog(script: string) {
  const code = `import { createLog } from ${LOG}; const log = createLog({ format: "json", level: "info" }); ${script}`;
  return Bun.spawn([process.execPath, "-e", code], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

describe("a line", () => {
  test("is JSON with the time, the level, the event and its facts", () => {
    const { log, lines } = keepLog();
    log.info("job.begun", { kind: "training", restarts: 0, resumed: false, userKey: null });
    const { time, ...others } = JSON.parse(lines[0]!);
    expect(time).toMatch(TIME);
    expect(others).toEqual({
      level: "info",
      event: "job.begun",
      kind: "training",
      restarts: 0,
      resumed: false,
      userKey: null,
    });
    expect(lines[0]!.indexOf("\n")).toBe(lines[0]!.length - 1);
  });

  test("is text for people, without what is null", () => {
    const lines: string[] = [];
    const log = createLog({ format: "text", level: "info" }, { write: (line) => lines.push(line) });
    log.warn("job.begun", { kind: "training", restarts: 0, userKey: null });
    log.error("service.stopped");
    expect(lines.map((line) => line.replace(TIME, "T"))).toEqual([
      "T warn  job.begun kind=training restarts=0\n",
      "T error service.stopped\n",
    ]);
  });

  test.each(["json", "text"] as const)("is one line as %s, whatever a fact holds", (format) => {
    const lines: string[] = [];
    createLog({ format, level: "info" }, { write: (line) => lines.push(line) }).info("x", { why: "a\nb\u001b[2J\r" });
    expect(lines.join("").slice(0, -1)).not.toMatch(/\p{Cc}/u);
    expect(lines.join("").at(-1)).toBe("\n");
  });

  test.each<[LogLevel, LogLevel[]]>([
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ])("at the level %s the log shows %j", (level, shown) => {
    const { log, lines } = keepLog(level);
    for (const name of ["error", "warn", "info", "debug"] as const) log[name]("event");
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(shown);
  });
});

describe("standard error", () => {
  test("has every line of a process that ends at once, however many there are", async () => {
    const child = runWithLog(`for (let at = 0; at < 20_000; at++) log.info("event", { at }); process.exit(7);`);
    const [text, code] = await Promise.all([child.stderr.text(), child.exited]);
    expect(code).toBe(7);
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(20_000);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ event: "event", at: 19_999 });
  });

  test("may be closed by its reader, and the work goes on", async () => {
    const child = runWithLog(`
      for await (const _ of Bun.stdin.stream());
      for (let at = 0; at < 5_000; at++) log.info("event", { at });
      process.stdout.write("done");
    `);
    await child.stderr.cancel();
    child.stdin.end();
    expect(await child.stdout.text()).toBe("done");
    expect(await child.exited).toBe(0);
  });

  test("may be a file that takes no more, and the work goes on", () =>
    withFolder(async (folder) => {
      const path = join(folder, "log");
      const limited = `trap '' XFSZ; ulimit -f 16; exec "${process.execPath}" -e "$0" 2>"${path}"`;
      const child = Bun.spawn(["sh", "-c", limited, MANY_LINES], { stdout: "pipe" });
      expect(await child.stdout.text()).toBe("done");
      expect(await child.exited).toBe(0);
      const { size } = Bun.file(path);
      expect([size > 0, size <= 16 * 1024]).toEqual([true, true]);
    }));
});

const MANY_LINES = `
  import { createLog } from ${LOG};
  const log = createLog({ format: "text", level: "info" });
  for (let at = 0; at < 50_000; at++) log.info("event", { at });
  process.stdout.write("done");
`;
