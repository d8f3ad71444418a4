// `cupel service`: where it writes its unit, what it leaves alone, and what it says where it cannot.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type InstallOptions,
  installService,
  type Machine,
  printUnit,
  uninstallService,
} from "../../src/commands/service/service-install.ts";
import { EXIT } from "../../src/common/exit-codes.ts";
import { SettingError } from "../../src/common/setting-values.ts";
import { withFolder } from "../support/folders.ts";
import { refusal, testConsole } from "../support/in-process.ts";

const SERVER: Machine = { platform: "linux", isRoot: true, hasSystemd: true, executable: "/usr/local/bin/cupel" };
const OPTIONS: InstallOptions = { flags: {}, user: "cupel", unitFolder: null, now: false };

describe("install", () => {
  test("writes the unit that print shows, and writes it anew", () =>
    withFolder(async (unitFolder) => {
      const shown = testConsole();
      expect(printUnit({ flags: { port: "9090" }, user: "cupel" }, SERVER, shown)).toBe(EXIT.done);
      for (const port of ["8080", "9090"]) {
        const console = testConsole();
        expect(await installService({ ...OPTIONS, flags: { port }, unitFolder }, SERVER, console)).toBe(EXIT.done);
        expect(console.printed).toEqual([`Wrote ${join(unitFolder, "cupel.service")}.`]);
      }
      expect(readdirSync(unitFolder)).toEqual(["cupel.service"]);
      expect(readFileSync(join(unitFolder, "cupel.service"), "utf8")).toBe(`${shown.printed.join("\n")}\n`);
    }));

  test("leaves a unit of somebody else alone", () =>
    withFolder(async (unitFolder) => {
      const path = join(unitFolder, "cupel.service");
      writeFileSync(path, "[Service]\nExecStart=/bin/true\n");
      expect(await refusal(installService({ ...OPTIONS, unitFolder }, SERVER, testConsole()))).toStartWith(
        "FOREIGN_UNIT",
      );
      expect(await refusal(uninstallService(unitFolder, SERVER, testConsole()))).toStartWith("FOREIGN_UNIT");
      expect(readFileSync(path, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
    }));

  test("says what to do where it cannot", () =>
    withFolder(async (unitFolder) => {
      const install = (machine: Partial<Machine>, options: Partial<InstallOptions> = {}) =>
        refusal(installService({ ...OPTIONS, ...options }, { ...SERVER, ...machine }, testConsole()));
      expect(await install({ isRoot: false })).toMatch(/^NEEDS_ROOT: .*sudo/);
      expect(await install({ hasSystemd: false })).toMatch(/^NO_SYSTEMD: .*init system.*`cupel serve --data FOLDER`/);
      expect(await install({ hasSystemd: false, platform: "darwin" })).toMatch(/^NO_SYSTEMD: .*launchd/);
      expect(await install({ hasSystemd: false, platform: "win32" })).toMatch(/^NO_SYSTEMD: .*Task Scheduler/);
      expect(await install({ executable: null }, { unitFolder })).toMatch(/^NOT_COMPILED: .*bun run build/);
      expect(await install({ executable: "/root/cupel" }, { unitFolder })).toMatch(
        /^PROGRAM_OUT_OF_REACH: .*install -m/,
      );
      const both = installService({ ...OPTIONS, unitFolder, now: true }, SERVER, testConsole());
      await expect(both).rejects.toBeInstanceOf(SettingError);
      expect(readdirSync(unitFolder)).toEqual([]);
    }));
});

describe("uninstall", () => {
  test("removes the unit and says what stays", () =>
    withFolder(async (unitFolder) => {
      const flags = { data: "/srv/cupel", logLevel: "warn" };
      await installService({ ...OPTIONS, flags, user: "ada", unitFolder }, SERVER, testConsole());
      const console = testConsole();
      expect(await uninstallService(unitFolder, SERVER, console)).toBe(EXIT.done);
      expect(console.printed.join("\n")).toContain("The data in /srv/cupel and the user ada stay.");
      expect(readdirSync(unitFolder)).toEqual([]);
      expect(await refusal(uninstallService(unitFolder, SERVER, testConsole()))).toStartWith("NO_SUCH_UNIT");
    }));
});

describe("print", () => {
  test("names the usual place where the program runs from its sources, or from where no service sees it", () => {
    for (const executable of [null, "/home/ada/cupel", "/tmp/cupel"]) {
      const console = testConsole();
      printUnit({ flags: {}, user: "cupel" }, { ...SERVER, executable }, console);
      expect(console.printed.join("\n")).toContain("\nExecStart=/usr/local/bin/cupel serve ");
    }
  });
});
