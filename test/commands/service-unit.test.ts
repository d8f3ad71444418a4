// The systemd unit: what it lets the service do, and that words reach the program as they were typed.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { SERVICE_USER, unitText } from "../../src/commands/service/service-unit.ts";
import { SettingError } from "../../src/common/setting-values.ts";
import type { ServeFlags } from "../../src/service/config.ts";

const EXECUTABLE = "/usr/local/bin/cupel";
const unit = (flags: ServeFlags = {}, user = SERVICE_USER, executable = EXECUTABLE) =>
  unitText({ executable, user, flags });

/** The values of a setting, in order; none where it is not there. */
function valuesOf(text: string, name: string): string[] {
  return text.split("\n").flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
}

/** The words of a command as systemd reads them: one character after another, after systemd.service(5). */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let index = 0; index < command.length; index++) {
    const character = command[index]!;
    if (character === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (character === " " && !isQuoted) {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === "\\") {
      index++;
      word = (word ?? "") + command[index]!;
    } else if (character === "%" || character === "$") {
      // Once is a specifier or a variable; twice is the character.
      expect(command[index + 1]).toBe(character);
      index++;
      word = (word ?? "") + character;
    } else {
      // Outside of quotes these would begin a quotation, or another command.
      if (!isQuoted) expect("';").not.toContain(character);
      word = (word ?? "") + character;
    }
  }
  expect(isQuoted).toBe(false);
  return word === null ? words : [...words, word];
}

describe("the unit", () => {
  test("runs the service as a user of its own, in a sandbox", () => {
    const text = unit();
    expect(valuesOf(text, "ExecStart")).toEqual([`${EXECUTABLE} serve --data /var/lib/cupel`]);
    expect(valuesOf(text, "User")).toEqual(["cupel"]);
    expect(valuesOf(text, "StateDirectory")).toEqual(["cupel"]);
    expect(valuesOf(text, "ReadWritePaths")).toEqual([]);
    expect(valuesOf(text, "UnsetEnvironment")).toEqual(["BUN_OPTIONS BUN_BE_BUN"]);
    expect(valuesOf(text, "CapabilityBoundingSet")).toEqual([""]);
    for (const line of [
      "UMask=0077",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "PrivateTmp=yes",
      "KillSignal=SIGTERM",
      "TimeoutStopSec=15",
      "Restart=on-failure",
      "LimitCORE=0",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
  });

  test("lets it talk to this machine alone, unless it is to listen beyond it", () => {
    for (const host of [undefined, "localhost", "127.0.0.2", "::1"]) {
      const text = unit({ host });
      expect([valuesOf(text, "IPAddressDeny"), valuesOf(text, "After")]).toEqual([["any"], []]);
    }
    for (const host of ["0.0.0.0", "::", "10.0.0.7", "127.example.org"]) {
      const text = unit({ host });
      expect([valuesOf(text, "IPAddressDeny"), valuesOf(text, "After")]).toEqual([[], ["network-online.target"]]);
    }
  });

  test("lets it bind a port of root's only where it is to", () => {
    expect(valuesOf(unit({ port: "443" }), "AmbientCapabilities")).toEqual(["CAP_NET_BIND_SERVICE"]);
    for (const port of ["0", "1024", "8080"]) expect(valuesOf(unit({ port }), "AmbientCapabilities")).toEqual([""]);
  });

  test("lets it write to its data and its backups, wherever they are", () => {
    const text = unit({ data: "/srv/cupel", backupFolder: "/mnt/x/../backups" }, "ada");
    expect(valuesOf(text, "User")).toEqual(["ada"]);
    expect(valuesOf(text, "StateDirectory")).toEqual([]);
    expect(valuesOf(text, "ReadWritePaths")).toEqual(["/srv/cupel", "/mnt/backups"]);
    expect(valuesOf(text, "ExecStart")[0]).toEndWith("--data /srv/cupel --backup-folder /mnt/backups");
  });

  test("lets it tell a webhook, and hands over a copy of its key", () => {
    const text = unit({ webhook: "https://alerts.example.org/x?a=b%20c", webhookKey: "/etc/cupel/webhook.key" });
    expect(valuesOf(text, "IPAddressDeny")).toEqual([]);
    expect(valuesOf(text, "LoadCredential")).toEqual(["webhook-key:/etc/cupel/webhook.key"]);
    expect(valuesOf(text, "ExecStart")[0]).toEndWith(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd fills it in.
      '--webhook "https://alerts.example.org/x?a=b%%20c" --webhook-key ${CREDENTIALS_DIRECTORY}/webhook-key',
    );
  });

  test("hands over copies of TLS files, which the service need not be able to read", () => {
    const text = unit({ tlsCert: "/etc/x/../ssl/cert.pem", tlsKey: "/etc/ssl/private/key.pem", port: "8443" });
    expect(valuesOf(text, "LoadCredential")).toEqual([
      "tls-cert:/etc/ssl/cert.pem",
      "tls-key:/etc/ssl/private/key.pem",
    ]);
    const copies = "--tls-cert $" + "{CREDENTIALS_DIRECTORY}/tls-cert --tls-key $" + "{CREDENTIALS_DIRECTORY}/tls-key";
    expect(valuesOf(text, "ExecStart")).toEqual([`${EXECUTABLE} serve --port 8443 --data /var/lib/cupel ${copies}`]);
  });

  test("passes words on as they were typed", () => {
    const typed = fc.string({ unit: fc.constantFrom(..."ab \"'\\$%;{}|&<>()#*?~é".split("")), maxLength: 20 });
    fc.assert(
      fc.property(typed, (path) => {
        const publicUrl = `https://cupel.example.org/${path}`;
        fc.pre(!/[?#]/.test(path));
        const [command] = valuesOf(unit({ publicUrl }), "ExecStart");
        expect(wordsOf(command!)).toEqual([EXECUTABLE, "serve", "--public-url", publicUrl, "--data", "/var/lib/cupel"]);
      }),
      { numRuns: 300 },
    );
  });

  test("passes on every setting that serve takes", () => {
    const flags = { allowedHosts: "a.example, b.example", workers: "2", requestsPerMinute: "60", basePath: "/cupel/" };
    const [command] = valuesOf(unit(flags), "ExecStart");
    expect(wordsOf(command!).slice(2, -2)).toEqual([
      ...["--base-path", "/cupel/", "--allowed-hosts", "a.example, b.example"],
      ...["--workers", "2", "--requests-per-minute", "60"],
    ]);
  });

  test("is not written for what could not run", () => {
    for (const flags of [
      { port: "70000" },
      { data: "/home/ada/cupel" },
      { data: "/tmp/cupel" },
      { data: "/root" },
      { data: "/srv/two words" },
      { data: "/srv/100%" },
      { data: "/srv/a\nUser=root" },
      { backupFolder: "/var/tmp/x" },
      { tlsCert: "/etc/c.pem" },
      { tlsCert: "/etc/c:d.pem", tlsKey: "/etc/k.pem" },
    ]) {
      expect(() => unit(flags)).toThrow(SettingError);
    }
    expect(() => unit({}, "ada lovelace")).toThrow(SettingError);
    expect(() => unit({}, SERVICE_USER, "/opt/$HOME/cupel")).toThrow(SettingError);
    expect(() => unit({ data: "/homes/cupel" })).not.toThrow();
  });

  test("takes nothing from the environment of whoever writes it", () => {
    process.env["CUPEL_PORT"] = "9999";
    try {
      expect(unit()).not.toContain("9999");
    } finally {
      delete process.env["CUPEL_PORT"];
    }
  });
});
