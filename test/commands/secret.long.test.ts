// `cupel secret rotate` beside a server that runs, and without one.
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { rotateCommand } from "../../src/commands/service/secret.ts";
import { testFolder, withFolder } from "../support/folders.ts";
import { testConsole } from "../support/in-process.ts";
import { endAll, FROM_SOURCE, PASSWORD, serve, start } from "../support/server.ts";

const ROOT = testFolder(endAll);

async function rotate(folder: string, ...options: string[]): Promise<string> {
  const child = start(FROM_SOURCE, ["secret", "rotate", "--data", folder, ...options]);
  expect(await child.exited).toBe(0);
  return child.stdout.text();
}

test("a server takes notice with its next request: sessions go on, or end at once", async () => {
  const folder = join(ROOT, "running");
  const server = await serve(FROM_SOURCE, folder);
  const path = join(folder, "secret.key");
  const before = readFileSync(path, "utf8");
  expect(await rotate(folder)).toMatch(
    /^Made a new secret\. .* stay valid until they expire, at 2\d{3}-.*Z at the latest\.\n$/,
  );
  const after = readFileSync(path, "utf8").split("\n");
  expect(after[0]).not.toBe(before.trim());
  expect(after[1]).toStartWith(`${before.trim()} until 2`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await server.call("GET", "/api/v1/limits");
  const login = await server.call<{ access_token: string }>("POST", "/api/login", {
    username: "ada@example.org",
    password: PASSWORD,
  });
  expect(await rotate(folder, "--now")).toContain("All logins and upload addresses have ended");
  expect(readFileSync(path, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  await expect(server.call("GET", "/api/v1/limits")).rejects.toThrow("401");
  const headers = { authorization: `Bearer ${login.access_token}` };
  await expect(server.call("GET", "/api/v1/limits", undefined, headers)).rejects.toThrow("401");
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  await rotate(folder);
});

test("no folder of a service is made into one", () =>
  withFolder(async (folder) => {
    const options = { dataFolder: join(folder, "none"), endsAtOnce: false };
    await expect(rotateCommand(options, testConsole())).rejects.toThrow("There is no state of a service in");
  }));
