// The file of servers that a user has logged in to.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { addServerOption, withServerValues } from "../../../src/command-line/remote-command-line.ts";
import { isUnprotected, readServers, serversFile, serverUrl, writeServers } from "../../../src/remote/servers.ts";
import { withFolder } from "../../support/folders.ts";

const SERVER = { url: "https://cupel.example.org", key: "cupel_a", keyId: null, ca: null };

describe("the file of servers", () => {
  test("stands in the user's folder for configuration", () => {
    expect(serversFile({ XDG_CONFIG_HOME: "/etc/ada", HOME: "/home/ada" })).toBe("/etc/ada/cupel/servers.json");
    for (const odd of [undefined, "", "relative"]) {
      expect(serversFile({ XDG_CONFIG_HOME: odd, HOME: "/home/ada" })).toBe("/home/ada/.config/cupel/servers.json");
    }
  });

  test("is private, replaced whole, and read as it was written", () =>
    withFolder(async (folder) => {
      const path = join(folder, "a", "b", "servers.json");
      expect(readServers(path)).toEqual([]);
      writeServers(path, [SERVER]);
      const other = { ...SERVER, url: "http://127.0.0.1:8080/cupel", keyId: crypto.randomUUID(), ca: "PEM" };
      writeServers(path, [SERVER, other]);
      expect(readServers(path)).toEqual([SERVER, other]);
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
      expect(readdirSync(dirname(path))).toEqual(["servers.json"]);
    }));

  test.each(["", "{}", "[]", "null", '{"servers":[1]}', '{"servers":[{"url":"x","key":"y"}]}', "{"])(
    "that holds %p is refused, without its content",
    (text) =>
      withFolder(async (folder) => {
        const path = join(folder, "servers.json");
        writeFileSync(path, text);
        expect(() => readServers(path)).toThrow(`${path} is not as \`cupel login\` writes it.`);
      }),
  );

  test("that is a folder is refused too", () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, "servers.json"));
      expect(() => readServers(join(folder, "servers.json"))).toThrow("Remove it");
    }));
});

describe("addresses", () => {
  test("have one spelling", () => {
    expect(serverUrl("HTTPS://Cupel.example.org:443/base/?q#f")).toBe("https://cupel.example.org/base");
    expect(serverUrl("http://127.0.0.1:8080/")).toBe("http://127.0.0.1:8080");
    for (const odd of ["", "cupel", "ftp://cupel", "file:///etc", "https://"]) {
      expect(() => serverUrl(odd)).toThrow("is no address of a server");
    }
  });

  test("leave this machine unencrypted only where they are http and elsewhere", () => {
    const isSafe = [
      "https://a.example",
      "http://localhost:1",
      "http://a.localhost",
      "http://127.9.9.9",
      "http://[::1]:2",
    ];
    for (const url of isSafe) expect([url, isUnprotected(url)]).toEqual([url, false]);
    for (const url of ["http://a.example", "http://10.0.0.1", "http://127.example", "http://localhost.example"]) {
      expect([url, isUnprotected(url)]).toEqual([url, true]);
    }
  });
});

test("--server takes an address, and leaves the name of a file alone", () => {
  const commands = [addServerOption(new Command("run")), new Command("export")];
  expect(withServerValues(["run", "--server", "a.csv"], commands)).toEqual(["run", "--server=", "a.csv"]);
  expect(withServerValues(["run", "a.csv", "--server"], commands)).toEqual(["run", "a.csv", "--server="]);
  for (const left of [
    ["run", "--server", "https://a.example", "a.csv"],
    ["run", "--server=https://a.example", "a.csv"],
    ["run", "--", "--server", "a.csv"],
    ["export", "--server", "a.csv"],
  ]) {
    expect(withServerValues(left, commands)).toEqual(left);
  }
});
