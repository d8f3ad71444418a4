// `cupel audit` on a real state folder, and what `cupel user` and `cupel secret` write for it to show.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { COMMAND_LINE, recordAudit } from "../../data/audit.ts";
import { openDatabase } from "../../data/database/database.ts";
import { acquireStateLock } from "../../data/files/state-lock.ts";
import { type AuditOptions, auditCommand } from "../../src/commands/service/audit.ts";
import { rotateCommand } from "../../src/commands/service/secret.ts";
import { type UserAction, userCommand } from "../../src/commands/service/user.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { withFolder } from "../support/folders.ts";
import { testConsole } from "../support/in-process.ts";
import { runProgram } from "../support/programs.ts";
import { FROM_SOURCE } from "../support/server.ts";

const PASSWORD = "a quiet harbour";

async function user(dataFolder: string, action: UserAction, email: string): Promise<void> {
  const options = { dataFolder, email, admin: false, readPassword: async () => PASSWORD };
  expect(await userCommand(action, options, testConsole())).toBe(EXIT.done);
}

/** The lines that are printed. */
async function audit(dataFolder: string, changes: Partial<AuditOptions> = {}): Promise<string[]> {
  const console = testConsole();
  const options = { dataFolder, since: null, until: null, json: false, ...changes };
  expect(await auditCommand(options, console)).toBe(EXIT.done);
  return console.printed;
}

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, string | null>);

describe("the audit trail on the command line", () => {
  test("has what was done to users and the secret, in that order, and no password", () =>
    withFolder(async (folder) => {
      for (const action of ["add", "password", "disable", "enable", "remove"] as const) {
        await user(folder, action, "Ada@example.org");
      }
      await user(folder, "add", "bob@example.org");
      await expect(user(folder, "add", "bob@example.org")).rejects.toThrow("already a user");
      await rotateCommand({ dataFolder: folder, endsAtOnce: true }, testConsole());
      const events = parsed(await audit(folder, { json: true }));
      expect(events.map(({ action, detail }) => [action, detail])).toEqual([
        ["USER_ADDED", "ada@example.org"],
        ["USER_PASSWORD_CHANGED", "ada@example.org"],
        ["USER_DISABLED", "ada@example.org"],
        ["USER_ENABLED", "ada@example.org"],
        ["USER_REMOVED", "ada@example.org"],
        ["USER_ADDED", "bob@example.org"],
        ["SECRET_ROTATED", null],
      ]);
      expect(new Set(events.slice(0, 5).map(({ objectKey }) => objectKey)).size).toBe(1);
      for (const { userKey, email, requestId } of events)
        expect([userKey, email, requestId]).toEqual([null, null, null]);
      expect(JSON.stringify(events)).not.toContain(PASSWORD);
    }));

  test("is text for people: who, what, from where and on what", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.org");
      const database = openDatabase(folder);
      const requestId = randomUUID();
      const actor = {
        userKey: "u",
        email: "ada@\u001b[31mexample.org",
        apiKeyId: "k",
        address: "192.0.2.7",
        requestId,
      };
      const at = new Date("2031-05-06T12:00:00.000Z");
      recordAudit(database, actor, { action: "CHAMPION_MOVED", objectKey: "o", detail: "v2" }, at);
      const nobody = { ...COMMAND_LINE, address: "192.0.2.8", requestId };
      recordAudit(database, nobody, { action: "LOGIN_REFUSED", objectKey: null, detail: null }, at);
      database.close();
      const [first, ...others] = await audit(folder);
      expect(first).toMatch(/Z {2}USER_ADDED {18}command line on [0-9a-f-]{36} \(ada@example\.org\)$/);
      expect(others).toEqual([
        `2031-05-06T12:00:00.000Z  CHAMPION_MOVED${" ".repeat(14)}ada@\\u001b[31mexample.org by API key k from 192.0.2.7 on o (v2)`,
        `2031-05-06T12:00:00.000Z  LOGIN_REFUSED${" ".repeat(15)}nobody from 192.0.2.8`,
      ]);
    }));

  test("is whole, however long, and may be bounded by time, beside a server that holds the folder", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.org");
      const lock = acquireStateLock(folder);
      const database = openDatabase(folder);
      database.write(() => {
        for (let second = 0; second < 2_500; second++) {
          const at = new Date(Date.UTC(2001, 0, 1, 0, 0, second));
          recordAudit(database, COMMAND_LINE, { action: "LOGIN", objectKey: null, detail: String(second) }, at);
        }
      });
      const details = parsed(await audit(folder, { json: true, until: "2002-01-01T00:00:00.000Z" })).map(
        ({ detail }) => detail,
      );
      expect(details).toEqual(Array.from({ length: 2_500 }, (_, second) => String(second)));
      const bounds = { since: "2001-01-01T00:00:10.000Z", until: "2001-01-01T00:00:12.000Z" };
      expect(parsed(await audit(folder, { json: true, ...bounds })).map(({ detail }) => detail)).toEqual(["10", "11"]);
      database.close();
      lock.release();
    }));

  test("takes days and instants, and refuses what is neither", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.org");
      const run = (...args: string[]) => runProgram([...FROM_SOURCE, "audit", "--data", folder, ...args]);
      expect(await run("--since", "2001-01-01", "--json")).toMatchObject({
        code: 0,
        out: expect.stringContaining("USER_ADDED"),
      });
      expect(await run("--until", "2001-01-01T09:30:00Z")).toMatchObject({ code: 0, out: "" });
      expect(await run("--since", "yesterday")).toMatchObject({ code: 2, err: expect.stringContaining("2027-01-15") });
    }));

  test("is not looked for where no service has worked", () =>
    withFolder(async (folder) => {
      await expect(audit(folder)).rejects.toThrow("There is no state of a service in");
    }));
});
