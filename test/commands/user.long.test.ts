// `cupel user` on a real state folder: alone, beside a server that holds it, and several at once.
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { insertApiKey } from "../../data/api-keys.ts";
import { type Database, openDatabase } from "../../data/database/database.ts";
import { insertDataset } from "../../data/datasets.ts";
import { acquireStateLock } from "../../data/files/state-lock.ts";
import { findUserByEmail } from "../../data/users.ts";
import { makeApiKey } from "../../src/auth/api-key.ts";
import { verifyPassword } from "../../src/auth/passwords.ts";
import { readPasswordLine, type UserAction, type UserOptions, userCommand } from "../../src/commands/service/user.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { withFolder } from "../support/folders.ts";
import { refusal, testConsole } from "../support/in-process.ts";

const PASSWORD = "a quiet harbour";
const giving = (password: string) => async () => password;

/** Runs the command in `folder`; gives what it printed. */
async function user(folder: string, action: UserAction, email: string | null, changes: Partial<UserOptions> = {}) {
  const console = testConsole();
  const options = { dataFolder: folder, email, admin: false, readPassword: giving(PASSWORD), ...changes };
  expect(await userCommand(action, options, console)).toBe(EXIT.done);
  return console.printed.join("\n");
}

/** Whether a login would succeed. */
async function opens(folder: string, email: string, password: string): Promise<boolean> {
  const database = openDatabase(folder);
  try {
    return await verifyPassword(password, findUserByEmail(database, email));
  } finally {
    database.close();
  }
}

describe("add", () => {
  test("makes the folder for its owner alone, and a user who can log in", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "new", "state");
      expect(await user(folder, "add", " Ada@Example.com ")).toBe(
        `There was no state of a service in ${folder}: one begins there.\nAdded ada@example.com.`,
      );
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(true);
      expect(await opens(folder, "ada@example.com", `${PASSWORD}!`)).toBe(false);
    }));

  test("shows a generated password once and stores it nowhere", () =>
    withFolder(async (folder) => {
      const printed = await user(folder, "add", "ada@example.com", { admin: true, readPassword: null });
      const [, password] = /\nAdded ada@example\.com as an admin\.\nPassword \(not shown again\): (\w{20})$/.exec(
        printed,
      )!;
      expect(await opens(folder, "ada@example.com", password!)).toBe(true);
      expect(await user(folder, "list", null)).not.toContain(password!);
      for (const name of readdirSync(folder)) {
        expect(readFileSync(join(folder, name), "latin1")).not.toContain(password!);
      }
    }));

  test("refuses an address that is taken, in whatever case, and changes nothing", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      const again = user(folder, "add", "ADA@example.com", { readPassword: giving("another password") });
      expect(await refusal(again)).toBe("USER_EXISTS: There is already a user ada@example.com.");
      expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(true);
    }));

  test.each([
    "",
    "ada",
    "@example.com",
    "ada@",
    "ada@b@c",
    "a da@example.com",
    "ada@exam\u0000ple.com",
    "ada@example.com\u001b[2J",
    `${"a".repeat(250)}@b.de`,
  ])("refuses the address %j", (email) =>
    withFolder(async (folder) => {
      expect(await refusal(user(folder, "add", email))).toStartWith("BAD_EMAIL");
    }),
  );

  test("refuses a password against the policy and adds nobody", () =>
    withFolder(async (folder) => {
      const short = user(folder, "add", "ada@example.com", { readPassword: giving("too short") });
      expect(await refusal(short)).toBe("PASSWORD_REFUSED: The password has 9 characters; it must have at least 12.");
      expect(await user(folder, "list", null)).toContain("no users");
    }));
});

describe("list", () => {
  test("shows everyone in order of arrival, with role and state, and no hash", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com", { admin: true });
      await user(folder, "add", "charles.babbage@example.com");
      await user(folder, "disable", "charles.babbage@example.com");
      const today = new Date().toISOString().slice(0, 4);
      const [first, second, ...rest] = (await user(folder, "list", null)).split("\n");
      expect(first).toMatch(new RegExp(`^ada@example\\.com {14}admin {2}added on ${today}-\\d\\d-\\d\\d$`));
      expect(second).toMatch(/^charles\.babbage@example\.com {2}user {3}added on .{10} {2}disabled on .{10}$/);
      expect(rest).toEqual([]);
    }));

  test.each<UserAction>(["list", "password", "disable", "enable", "remove"])(
    "%s makes no database where there is none",
    (action) =>
      withFolder(async (folder) => {
        expect(await refusal(user(folder, action, "ada@example.com"))).toStartWith("NO_USERS: There are no users in");
        expect(readdirSync(folder)).toEqual([]);
      }),
  );
});

describe("changes", () => {
  test("a new password takes the place of the old one, given or generated", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      await user(folder, "password", "Ada@example.com", { readPassword: giving("another password") });
      expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(false);
      expect(await opens(folder, "ada@example.com", "another password")).toBe(true);
      const printed = await user(folder, "password", "ada@example.com", { readPassword: null });
      expect(await opens(folder, "ada@example.com", /: (\w{20})$/.exec(printed)![1]!)).toBe(true);
    }));

  test("disable shuts out and enable lets in again; both may be said twice", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      for (const [action, mayEnter] of [
        ["disable", false],
        ["disable", false],
        ["enable", true],
        ["enable", true],
      ] as const) {
        await user(folder, action, "ada@example.com");
        expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(mayEnter);
      }
    }));

  test.each<UserAction>(["password", "disable", "enable", "remove"])("%s of an unknown user is refused", (action) =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      expect(await refusal(user(folder, action, "bob@example.com"))).toBe(
        "NO_SUCH_USER: There is no user bob@example.com. List users with: cupel user list",
      );
    }),
  );
});

describe("the last administrator", () => {
  const LAST =
    "LAST_ADMINISTRATOR: ada@example.com is the only administrator who may log in. " +
    "Add another one first: cupel user add EMAIL --admin";

  test.each<UserAction>(["disable", "remove"])("%s is refused until there is another one", (action) =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com", { admin: true });
      await user(folder, "add", "bob@example.com");
      const before = await user(folder, "list", null);
      expect(await refusal(user(folder, action, "ada@example.com"))).toBe(LAST);
      expect(await user(folder, "list", null)).toBe(before);

      await user(folder, "add", "carl@example.com", { admin: true });
      await user(folder, "disable", "carl@example.com");
      expect(await refusal(user(folder, action, "ada@example.com"))).toBe(LAST);
      // A disabled one is no loss.
      await user(folder, action, "carl@example.com");

      await user(folder, "add", "dora@example.com", { admin: true });
      await user(folder, action, "ada@example.com");
    }),
  );
});

describe("remove", () => {
  test("leaves nothing of a user who owned nothing but API keys, and frees the address", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      const database = openDatabase(folder);
      const { key: userKey } = findUserByEmail(database, "ada@example.com")!;
      const { tokenHash } = makeApiKey();
      const apiKey = { key: randomUUID(), userKey, name: "job", tokenHash, scopes: ["read"], expiresOn: null };
      insertApiKey(database, apiKey, new Date());
      expect(await user(folder, "remove", "ada@example.com")).toBe("Removed ada@example.com.");
      for (const table of ["users", "apiKeys"])
        expect(database.client.query(`SELECT * FROM ${table}`).all()).toEqual([]);
      database.close();
      await user(folder, "add", "ada@example.com", { readPassword: giving("another password") });
      expect(await opens(folder, "ada@example.com", "another password")).toBe(true);
    }));

  test("leaves what a user made under a row without a name, which is not listed and opens nothing", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      const database = openDatabase(folder);
      const { key: userKey } = findUserByEmail(database, "ada@example.com")!;
      addDataset(database, userKey);
      expect(await user(folder, "remove", "ada@example.com")).toContain("within twenty minutes");
      const [left, ...others] = database.client
        .query<{ key: string; email: string; disabledOn: string }, []>("SELECT key, email, disabledOn FROM users")
        .all();
      expect(others).toEqual([]);
      expect(left!.key).toBe(userKey);
      expect(left!.email).toMatch(/^removed-[0-9a-f-]{36}$/);
      expect(left!.disabledOn).not.toBeNull();
      expect(database.client.query("SELECT userKey FROM datasets").all()).toEqual([{ userKey }]);
      database.close();
      expect(await opens(folder, left!.email, PASSWORD)).toBe(false);
      expect(await user(folder, "list", null)).toContain("no users");
      expect(await refusal(user(folder, "enable", left!.email))).toStartWith("BAD_EMAIL");
      await user(folder, "add", "ada@example.com");
      expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(true);
    }));
});

describe("at the same time", () => {
  test("works while a server holds the folder and its database", () =>
    withFolder(async (folder) => {
      const lock = acquireStateLock(folder);
      const database = openDatabase(folder);
      await user(folder, "add", "ada@example.com");
      expect(findUserByEmail(database, "ada@example.com")?.disabledOn).toBeNull();
      await user(folder, "disable", "ada@example.com");
      expect(findUserByEmail(database, "ada@example.com")?.disabledOn).not.toBeNull();
      expect(() => acquireStateLock(folder)).toThrow("Another process works");
      database.close();
      lock.release();
    }));

  test("leaves the folder free for a server", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      acquireStateLock(folder).release();
    }));

  test("waits for a server that writes", () =>
    withFolder(async (folder) => {
      await user(folder, "add", "ada@example.com");
      const writer = Bun.spawn([process.execPath, "-e", SLOW_WRITER, folder], { stdout: "pipe" });
      const { value } = await writer.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("writing\n");
      await user(folder, "disable", "ada@example.com");
      expect(await writer.exited).toBe(0);
      expect(await opens(folder, "ada@example.com", PASSWORD)).toBe(false);
    }));

  test("four first commands at once on a folder that is not there yet all succeed", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "state");
      const started = [1, 2, 3, 4].map((index) =>
        Bun.spawn([process.execPath, "-e", ADDER, folder, `user${index}@example.com`], {
          stdin: new Blob([`${PASSWORD}\nmore\n`]),
          stdout: "pipe",
          stderr: "pipe",
        }),
      );
      for (const [index, { exited, stdout, stderr }] of started.entries()) {
        expect(await new Response(stderr).text()).toBe("");
        expect(await new Response(stdout).text()).toEndWith(`Added user${index + 1}@example.com.\n`);
        expect(await exited).toBe(EXIT.done);
      }
      expect((await user(folder, "list", null)).split("\n")).toHaveLength(4);
      expect(await opens(folder, "user3@example.com", PASSWORD)).toBe(true);
    }));

  test("gives up with an error where another process never finishes making the database", () =>
    withFolder(async (folder) => {
      const lock = acquireStateLock(folder);
      mkdirSync(join(folder, "cupel.db"));
      const asked = user(folder, "list", null);
      expect(
        await asked.then(
          () => null,
          (error: Error) => error,
        ),
      ).toBeInstanceOf(Error);
      lock.release();
    }));
});

describe("the password on standard input", () => {
  async function* chunksOf(...chunks: (string | number[])[]) {
    for (const chunk of chunks)
      yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : Uint8Array.from(chunk);
  }

  test.each<[string, (string | number[])[], string]>([
    ["a line", ["secret words\n"], "secret words"],
    ["a line without an end", ["secret words"], "secret words"],
    ["a line of Windows", ["secret words\r\n"], "secret words"],
    ["only the first line", ["secret words\nmore\n"], "secret words"],
    ["blanks are part of it", ["  secret words \n"], "  secret words "],
    ["in pieces, one of them within a letter", ["secr", [0xc3], [0xa9], "t wor", "ds\nmo", "re"], "secrét words"],
    ["after a byte order mark", [[0xef, 0xbb, 0xbf], "secret words\n"], "secret words"],
    ["nothing", [], ""],
    ["an empty line", ["\n", "more"], ""],
  ])("%s", async (_name, chunks, expected) => {
    expect(await readPasswordLine(chunksOf(...chunks))).toBe(expected);
  });

  test("what is no UTF-8 is refused", async () => {
    expect(await refusal(readPasswordLine(chunksOf([0xff, 0xfe, 0x41], "\n")))).toStartWith("PASSWORD_REFUSED");
  });

  test("an endless line is not read to its end", async () => {
    async function* endless() {
      for (;;) yield new Uint8Array(1_000).fill(65);
    }
    expect(await readPasswordLine(endless())).toHaveLength(3_000);
  });
});

/** Adds a user as the command line does, with the password from standard input. */
const ADDER = `
  import { readPasswordLine, userCommand } from ${JSON.stringify(join(import.meta.dir, "../../src/commands/service/user.ts"))};
  const [dataFolder, email] = process.argv.slice(1);
  const readPassword = () => readPasswordLine(Bun.stdin.stream());
  const print = (line) => process.stdout.write(line + "\\n");
  process.exitCode = await userCommand("add", { dataFolder, email, admin: false, readPassword }, { print });
`;

/** Holds the database's write lock for half a second. */
const SLOW_WRITER = `
  import { openDatabase } from ${JSON.stringify(join(import.meta.dir, "../../data/database/database.ts"))};
  const database = openDatabase(process.argv[1]);
  database.write(() => {
    process.stdout.write("writing\\n");
    Bun.sleepSync(500);
  });
  database.close();
`;

/** Something that a user owns. */
function addDataset(database: Database, userKey: string): void {
  const dataset = {
    key: randomUUID(),
    userKey,
    name: "customers",
    description: null,
    numberOfBuckets: 20,
    labelColumn: null,
    positiveLabel: null,
    missingValues: null,
    origin: { kind: "SIGNED_UPLOAD", expiresOn: new Date() },
  } as const;
  expect(insertDataset(database, dataset, new Date())).not.toBeNull();
}
