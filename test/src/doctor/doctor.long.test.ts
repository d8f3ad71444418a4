// The doctor on real folders, whole and broken: what it finds, what it says to do, and that it changes nothing.
import { Database as Client } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginSwap } from "../../../data/backup/restore-swap.ts";
import { openDatabase } from "../../../data/database/database.ts";
import { forgetRunning, noteRunning } from "../../../data/files/running-server.ts";
import { setAside } from "../../../data/files/set-aside.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { acquireStateLock } from "../../../data/files/state-lock.ts";
import { fileFinding, roomFinding } from "../../../src/doctor/disk-check.ts";
import { examine } from "../../../src/doctor/doctor.ts";
import type { Finding } from "../../../src/doctor/finding.ts";
import { memoryFinding, openFilesFinding } from "../../../src/doctor/limits-check.ts";
import { checkMount } from "../../../src/doctor/mount-check.ts";
import { readServeOptions, type ServeFlags } from "../../../src/service/config.ts";
import { later, NOON } from "../../data/state.ts";
import { fillAtRest, placeFile } from "../../support/filled-state.ts";
import { testFolder, withFolder } from "../../support/folders.ts";

/** After everything in a filled folder, and more than a day after its files. */
const NEXT_YEAR = later(366 * 24 * 3_600);

async function examineFolder(folder: string, flags: ServeFlags = {}, deep = false, now = NEXT_YEAR) {
  return examine(readServeOptions({ data: folder, port: "0", ...flags }, {}, 1), deep, now);
}

type FilledState = ReturnType<typeof fillAtRest>;

const isSound = ({ verdict }: Finding) => verdict === "ok";
/** By a word, since some checks are of the machine that the test runs on. */
const ofMachine = ["mount", "disk", "inodes", "open files", "memory"];
const badIn = (findings: readonly Finding[]) =>
  findings.filter((finding) => !isSound(finding) && !ofMachine.includes(finding.check));

/** The one thing that is wrong. */
async function onlyFinding(...given: Parameters<typeof examineFolder>): Promise<Finding> {
  const [finding, ...others] = badIn(await examineFolder(...given));
  expect(others).toEqual([]);
  return finding!;
}

/** A whole folder that nobody has open. */
function withState(use: (filled: FilledState) => Promise<void>): Promise<void> {
  return withFolder((root) => use(fillAtRest(root)));
}

/** Names, sizes, modes and times of all that is in the folder. */
function stampOf(folder: string): string[] {
  const stamps = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { size, mode, mtimeMs } = lstatSync(join(folder, name));
    return `${name} ${size} ${mode} ${mtimeMs}`;
  });
  return stamps.sort();
}

/** Answers as Cupel does, below /base. */
const answeringServer = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/base/healthz") ? Response.json({ status: "ok", version: "1.2.3" }) : new Response(null),
  });

describe("a whole folder", () => {
  test("is found to be so, and is not changed by looking", () =>
    withState(async ({ folder }) => {
      const before = stampOf(folder);
      const findings = await examineFolder(folder, {}, true);
      expect(badIn(findings)).toEqual([]);
      expect(findings.map(({ check }) => check)).toEqual(
        expect.arrayContaining(["folder", "lock", "secret", "database", "files", "orphans", "journals", "clock"]),
      );
      expect(stampOf(folder)).toEqual(before);
    }));

  test("is looked at while somebody works in it", () =>
    withState(async ({ folder }) => {
      const lock = acquireStateLock(folder);
      const database = openDatabase(folder, NOON);
      const findings = await examineFolder(folder);
      expect(badIn(findings)).toEqual([]);
      expect(findings.find(({ check }) => check === "lock")!.text).toContain("uses the folder");
      // Its looking let go of nothing.
      expect(() => acquireStateLock(folder)).toThrow("Another process");
      database.close();
      lock.release();
    }));

  test("is looked at as a killed server left it, with rows in the write-ahead log alone", () =>
    withState(async ({ folder }) => {
      const script = `
        import { openDatabase } from ${JSON.stringify(join(import.meta.dir, "../../../data/database/database.ts"))};
        const database = openDatabase(${JSON.stringify(folder)});
        database.client.run("UPDATE users SET createdOn = '2099-01-01T00:00:00.000Z'");
        process.kill(process.pid, "SIGKILL");
      `;
      await Bun.spawn([process.execPath, "-e", script], { stderr: "inherit" }).exited;
      expect(lstatSync(join(folder, "cupel.db-wal")).size).toBeGreaterThan(0);
      const finding = await onlyFinding(folder);
      expect([finding.check, finding.text]).toEqual(["clock", expect.stringContaining("2099-01-01")]);
    }));
});

describe("what is wrong", () => {
  test("no folder at all", () =>
    withFolder(async (root) => {
      const finding = await onlyFinding(join(root, "none"));
      expect([finding.verdict, finding.text]).toEqual(["problem", `There is no state folder ${join(root, "none")}.`]);
    }));

  test("no database", () =>
    withFolder(async (root) => {
      chmodSync(root, 0o700);
      const finding = await onlyFinding(root);
      expect([finding.check, finding.verdict]).toEqual(["database", "problem"]);
    }));

  test.each<[string, string, Finding["verdict"], string, (filled: FilledState) => void]>([
    ["a folder that is open to others", "folder", "warning", "chmod 700", ({ folder }) => chmodSync(folder, 0o755)],
    [
      "a database that is",
      "folder",
      "problem",
      "chmod 600",
      ({ folder }) => chmodSync(join(folder, "cupel.db"), 0o644),
    ],
    [
      "a secret that was cut short",
      "secret",
      "problem",
      "the server does not start",
      ({ folder }) => writeFileSync(join(folder, "secret.key"), "abc"),
    ],
    [
      "a database that is none",
      "database",
      "problem",
      "--replace",
      ({ folder }) => writeFileSync(join(folder, "cupel.db"), "no database".repeat(1000)),
    ],
    [
      "a database with an overwritten page",
      "database",
      "problem",
      "--replace",
      ({ folder }) => {
        const bytes = readFileSync(join(folder, "cupel.db"));
        writeFileSync(join(folder, "cupel.db"), bytes.fill(0xff, 8 * 4096, 9 * 4096));
      },
    ],
    [
      "a database of a newer version",
      "database",
      "problem",
      "Use the version of the program",
      ({ folder }) => {
        const client = new Client(join(folder, "cupel.db"));
        client.run("PRAGMA user_version = 1000");
        client.close();
      },
    ],
    [
      "a missing file",
      "files",
      "problem",
      "--missing-files allow",
      ({ state, modelKey }) => rmSync(state.locate(statePaths.modelVersion(modelKey, 1))),
    ],
    [
      "a file of another size",
      "files",
      "problem",
      "Restore",
      ({ state, paths }) => appendFileSync(state.locate(paths[0]!), "x"),
    ],
    [
      "an orphan",
      "orphans",
      "warning",
      "server's next start",
      ({ state }) => {
        const path = statePaths.file(randomUUID());
        placeFile(state, path, "x".repeat(5000));
        utimesSync(state.locate(path), NOON, NOON);
      },
    ],
    [
      "a file that a start has set aside",
      "unnamed",
      "warning",
      "30 days after",
      ({ folder, state }) => {
        const path = statePaths.file(randomUUID());
        placeFile(state, path, "x");
        setAside(folder, path, NOON);
      },
    ],
    [
      "a journal of a job that has ended",
      "orphans",
      "warning",
      "server's next start",
      ({ state }) => {
        const path = statePaths.journal(randomUUID());
        placeFile(state, path, "x");
        utimesSync(state.locate(path), NOON, NOON);
      },
    ],
    [
      "a restore that stopped half-way",
      "restore",
      "problem",
      "Start the server",
      ({ folder }) => void beginSwap(folder, NOON),
    ],
    [
      "a restore that stopped before",
      "restore",
      "warning",
      "server's next start",
      ({ folder }) => void mkdirSync(join(folder, "restoring")),
    ],
    [
      "a state that a restore moved aside",
      "restore",
      "warning",
      "Delete them",
      ({ folder }) => void mkdirSync(join(folder, "before-restore-20310506-120000")),
    ],
  ])("%s", (_, check, verdict, remedy, breakIt) =>
    withState(async (filled) => {
      breakIt(filled);
      const finding = await onlyFinding(filled.folder);
      expect([finding.check, finding.verdict, finding.remedy]).toEqual([
        check,
        verdict,
        expect.stringContaining(remedy),
      ]);
    }),
  );

  test("a file of the database that a start has set aside", () =>
    withState(async ({ folder, paths }) => {
      setAside(folder, paths[0]!, NOON);
      const [missing, aside] = badIn(await examineFolder(folder));
      expect(missing).toMatchObject({
        check: "files",
        remedy: expect.stringContaining("puts back"),
        items: paths.slice(0, 1),
      });
      expect(aside).toMatchObject({ check: "unnamed", text: expect.stringMatching(/^1 file, .* was set aside/) });
    }));

  test("an altered file of the same size, for those who look deep", () =>
    withState(async ({ folder, state, paths }) => {
      const path = state.locate(paths[0]!);
      const content = readFileSync(path);
      content[3] = content[3]! ^ 1;
      writeFileSync(path, content);
      expect(badIn(await examineFolder(folder))).toEqual([]);
      const finding = await onlyFinding(folder, {}, true);
      expect([finding.check, finding.verdict, finding.items]).toEqual(["files", "problem", [paths[0]!]]);
    }));

  test("a clock before the newest row, or before the program was made", () =>
    withState(async ({ folder }) => {
      const soonBefore = await onlyFinding(folder, {}, false, later(-3_600));
      expect([soonBefore.check, soonBefore.text]).toEqual(["clock", expect.stringContaining(NOON.toISOString())]);
      const longBefore = await onlyFinding(folder, {}, false, new Date("2001-01-01"));
      expect(longBefore.text).toContain("before this program was built");
    }));
});

describe("the disk", () => {
  // 36 35 98:0 /root /point options master:1 - type device super-options
  const line = (point: string, type: string, options = "rw,relatime", superOptions = "rw") =>
    `36 35 98:0 / ${point} ${options} shared:1 - ${type} device ${superOptions}`;

  test.each([
    [line("/", "ext4"), "ok"],
    [line("/", "ext4", "ro"), "problem"],
    [line("/", "ext4", "rw", "ro,errors=remount-ro"), "problem"],
    [line("/", "ext4", "rw", "rw,emergency_ro"), "problem"],
    [line("/", "nfs4"), "warning"],
    [line("/", "cifs"), "warning"],
    [line("/", "fuse.sshfs"), "warning"],
    [line("/", "9p"), "warning"],
    [line("/", "tmpfs"), "warning"],
    [line("/", "overlay"), "warning"],
    [`${line("/", "nfs4")}\n${line(tmpdir(), "xfs")}`, "ok"],
    [`${line(tmpdir(), "ext4")}\n${line(tmpdir(), "nfs")}`, "warning"],
    [`${line("/", "ext4")}\n${line(`${tmpdir()}x`, "nfs")}`, "ok"],
  ])("by the list of mounts %j: %s", (list, verdict) => {
    expect(checkMount(tmpdir(), list).map((finding) => finding.verdict)).toEqual([verdict as Finding["verdict"]]);
  });

  test("is found whatever its name is, and not at all without a list", () =>
    withFolder(async (root) => {
      const folder = join(root, "with space");
      mkdirSync(folder);
      const list = `${line("/", "ext4")}\n${line(folder.replace(" ", "\\040"), "nfs")}`;
      expect(checkMount(folder, list)[0]!.text).toContain("with space");
      expect(checkMount(folder, null)).toEqual([]);
      expect(checkMount(folder)).toHaveLength(process.platform === "linux" ? 1 : 0);
    }));

  test.each([
    [roomFinding(1e11, 2e11), "ok"],
    [roomFinding(1e9, 2e11), "warning"],
    [roomFinding(1e8, 2e11), "problem"],
    [fileFinding(1e6), "ok"],
    [fileFinding(5_000), "warning"],
    [fileFinding(10), "problem"],
    [openFilesFinding(65_536), "ok"],
    [openFilesFinding(1_024), "warning"],
    [openFilesFinding(256), "problem"],
    [openFilesFinding(Number.POSITIVE_INFINITY), "ok"],
    [memoryFinding({ budgetMib: 3_000, limitMib: 4_000, availableMib: 3_500, isServed: false }), "ok"],
    [memoryFinding({ budgetMib: 3_000, limitMib: 4_000, availableMib: 2_500, isServed: false }), "warning"],
    [memoryFinding({ budgetMib: 3_000, limitMib: 4_000, availableMib: 2_500, isServed: true }), "ok"],
    [memoryFinding({ budgetMib: 3_000, limitMib: 4_000, availableMib: 100, isServed: false }), "problem"],
    [memoryFinding({ budgetMib: 5_000, limitMib: 4_000, availableMib: 3_500, isServed: true }), "problem"],
  ])("and other limits: %o is %s", (finding, verdict) => {
    expect(finding.verdict).toBe(verdict as Finding["verdict"]);
  });
});

describe("the port", () => {
  let taken: Server;
  let port: number;
  beforeAll(async () => {
    taken = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"));
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    port = (taken.address() as { port: number }).port;
  });
  afterAll(() => taken.close());

  test("that another program has is a problem", () =>
    withState(async ({ folder }) => {
      const finding = await onlyFinding(folder, { port: String(port) });
      expect([finding.check, finding.verdict, finding.text]).toEqual([
        "port",
        "problem",
        `127.0.0.1:${port} cannot be listened on (EADDRINUSE).`,
      ]);
    }));

  test("on which Cupel answers is fine, if it works in this folder", () =>
    withState(async ({ folder }) => {
      const server = answeringServer();
      const flags = { port: String(server.port), basePath: "/base" };
      const elsewhere = await onlyFinding(folder, flags);
      expect([elsewhere.check, elsewhere.verdict]).toEqual(["port", "warning"]);
      const lock = acquireStateLock(folder);
      const findings = await examineFolder(folder, flags);
      expect(badIn(findings)).toEqual([]);
      expect(findings.find(({ check }) => check === "port")!.text).toStartWith("Cupel 1.2.3 answers on");
      await server.stop(true);
      const silent = await onlyFinding(folder, flags);
      expect([silent.check, silent.verdict, silent.text]).toEqual([
        "port",
        "warning",
        expect.stringContaining("nobody answers"),
      ]);
      lock.release();
    }));

  test("is that of the server that works in the folder, whatever the options say", () =>
    withState(async ({ folder }) => {
      const server = answeringServer();
      const place = { host: "127.0.0.1", port: server.port!, basePath: "/base", tls: false };
      noteRunning(folder, { processId: 4_711, version: "1.2.3", ...place });
      // Nobody holds the lock: what is written there was left by a killed one.
      const taken = await onlyFinding(folder, { port: String(port) });
      expect([taken.check, taken.verdict]).toEqual(["port", "problem"]);
      const lock = acquireStateLock(folder);
      const findings = await examineFolder(folder, { port: String(port) });
      expect(badIn(findings)).toEqual([]);
      const textOf = (check: string) => findings.find((finding) => finding.check === check)!.text;
      expect(textOf("lock")).toBe(`Cupel 1.2.3 uses the folder: process 4711, on 127.0.0.1:${server.port}.`);
      expect(textOf("port")).toBe(`Cupel 1.2.3 answers on 127.0.0.1:${server.port}.`);
      await server.stop(true);
      writeFileSync(join(folder, "cupel.server"), "{}");
      expect((await onlyFinding(folder, { port: String(port) })).check).toBe("port");
      forgetRunning(folder);
      lock.release();
    }));

  test("of an address that is not this machine's is a problem", () =>
    withState(async ({ folder }) => {
      const finding = await onlyFinding(folder, { host: "192.0.2.1", port: "1" });
      expect([finding.check, finding.verdict, finding.remedy]).toEqual([
        "port",
        "problem",
        expect.stringContaining("--host"),
      ]);
    }));
});

describe("the certificate", () => {
  const root = testFolder();
  const [cert, key, otherKey] = ["cert.pem", "key.pem", "other.pem"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  beforeAll(async () => {
    const make = (keyPath: string, certPath: string) =>
      Bun.spawn(
        [
          "openssl",
          "req",
          "-x509",
          "-newkey",
          "ec",
          "-pkeyopt",
          "ec_paramgen_curve:P-256",
          "-nodes",
          "-days",
          "90",
        ].concat([
          ...["-subj", "/CN=cupel.example.org", "-addext", "subjectAltName=DNS:cupel.example.org"],
          ...["-keyout", keyPath, "-out", certPath],
        ]),
        { stdout: "ignore", stderr: "ignore" },
      ).exited;
    expect(await make(key, cert)).toBe(0);
    expect(await make(otherKey, join(root, "unused.pem"))).toBe(0);
  });
  const daysOn = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
  const verdictOf = async (flags: ServeFlags, now: Date) => {
    const findings = await examineFolder(join(root, "none"), flags, false, now);
    return findings.filter(({ check }) => check === "certificate").map(({ verdict, text }) => [verdict, text]);
  };

  test.each([
    [1, "ok", "is valid until"],
    [70, "warning", "expires on"],
    [91, "problem", "expired on"],
    [-30, "problem", "is not valid before"],
  ])("%d days on is %s", async (days, verdict, text) => {
    const found = await verdictOf({ tlsCert: cert, tlsKey: key }, daysOn(days));
    expect(found).toEqual([[verdict as Finding["verdict"], expect.stringContaining(text)]]);
  });

  test("must be of its key, readable, and of the public host", async () => {
    const now = daysOn(1);
    expect(await verdictOf({ tlsCert: cert, tlsKey: otherKey }, now)).toEqual([
      ["problem", expect.stringContaining("does not match")],
    ]);
    expect(await verdictOf({ tlsCert: join(root, "none.pem"), tlsKey: key }, now)).toEqual([
      ["problem", expect.stringContaining("(ENOENT)")],
    ]);
    const named = (publicUrl: string) => verdictOf({ tlsCert: cert, tlsKey: key, publicUrl }, now);
    expect((await named("https://cupel.example.org")).map(([verdict]) => verdict)).toEqual(["ok"]);
    expect((await named("https://other.example.org")).map(([verdict]) => verdict)).toEqual(["ok", "warning"]);
  });
});

describe("the server's own backups", () => {
  test("are to be there, new, and whole", () =>
    withState(async ({ folder }) =>
      withFolder(async (backupFolder) => {
        const flags = { backupFolder, backupEvery: "24" };
        const texts = async () =>
          (await examineFolder(folder, flags)).filter(({ check }) => check === "backups").map(({ text }) => text);
        const onSameDisk = "They are on the same disk as the state.";
        expect(await texts()).toEqual([`There is none in ${backupFolder} yet.`, onSameDisk]);
        writeFileSync(join(backupFolder, "cupel-20320501-000000.backup"), "");
        writeFileSync(join(backupFolder, "cupel-20320506-110000-lacking.backup"), "");
        expect((await texts())[0]).toMatch(/^The newest is \d+ h old/);
        writeFileSync(join(backupFolder, "cupel-20320506-110000.backup"), "");
        expect((await texts())[0]).toStartWith("2 backups, the newest 1 h");
        const gone = await onlyFinding(folder, { backupFolder: join(backupFolder, "none") });
        expect([gone.check, gone.verdict]).toEqual(["backups", "problem"]);
      }),
    ));
});
