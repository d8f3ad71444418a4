// Commands whose work a server does: real processes and a real server, beside the same commands on this machine.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { insertApiKey, listApiKeys } from "../../data/api-keys.ts";
import { findUserByEmail } from "../../data/users.ts";
import { makeApiKey } from "../../src/auth/api-key.ts";
import { Cupel } from "../../src/clients/typescript/cupel.ts";
import type { RefinementSummary } from "../../src/summary/refinement-summary.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { startBreakingLink } from "../support/breaking-link.ts";
import { makeCertificate } from "../support/certificate.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable } from "../support/in-process.ts";
import { PASSWORD, startService, USER } from "../support/live-service.ts";
import { type RunOptions, runProgram } from "../support/programs.ts";
import { knownTable } from "../support/refinery.ts";
import { FROM_SOURCE } from "../support/server.ts";

const penguins = fixtureTable("penguins");
const folder = testFolder();
const serversFile = join(folder, "config", "cupel", "servers.json");
const live = await startService();
const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
writeFileSync(join(folder, "TRAIN.csv"), knownTable(1_200, 1));
writeFileSync(join(folder, "TEST.csv"), knownTable(400, 2));

function run(args: readonly string[], { input = "", environment = {} }: RunOptions = {}) {
  const unset = { CUPEL_URL: undefined, CUPEL_KEY: undefined };
  const own = { ...unset, NO_COLOR: "1", XDG_CONFIG_HOME: join(folder, "config"), ...environment };
  return runProgram([...FROM_SOURCE, ...args], { folder, input, environment: own });
}

const logIn = (url = live.address, password = PASSWORD, ...more: string[]) =>
  run(["login", url, "--user", USER, "--password-stdin", ...more], { input: `${password}\n` });

const readJson = <T>(...parts: string[]) => JSON.parse(readFileSync(join(folder, ...parts), "utf8")) as T;
const bytesOf = (...parts: string[]) => readFileSync(join(folder, ...parts));

function aliveKeys() {
  const { database } = live.service;
  const { key } = findUserByEmail(database, USER)!;
  return listApiKeys(database, key, { offset: 0, limit: 100 }).items.filter(({ revokedOn }) => revokedOn === null);
}

describe("login", () => {
  test("is needed", async () => {
    const { code, err } = await run(["inspect", penguins, "--server"]);
    expect([code, err]).toEqual([
      2,
      "error: No server is known. Type: cupel login URL, or name one with --server URL.\n",
    ]);
    const named = await run(["inspect", penguins, `--server`, live.address]);
    expect([named.code, named.err]).toEqual([2, expect.stringContaining(`Type: cupel login ${live.address}`)]);
  });

  test("refuses a wrong password, and keeps nothing", async () => {
    const { code, err } = await logIn(live.address, "not the password");
    expect([code, err]).toEqual([1, expect.stringContaining("The user name or the password is wrong")]);
    expect(existsSync(serversFile)).toBeFalse();
    expect(aliveKeys()).toEqual([]);
  });

  test("says what stands at an address instead", async () => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ hello: "world" }) });
    const nothing = await logIn(`http://127.0.0.1:${other.port}`);
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining("is no Cupel server")]);
    const address = `http://127.0.0.1:${other.port}`;
    await other.stop(true);
    const gone = await logIn(address);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(`${address} cannot be reached.`)]);
    const wrong = await logIn("example.org");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("is no address of a server")]);
    const secret = await logIn("https://ada:secret@example.org");
    expect([secret.code, secret.err]).toEqual([2, expect.stringContaining("may not hold a password")]);
    expect(secret.err).not.toContain("ada:secret");
  });

  test("tells another version that speaks otherwise", async () => {
    using other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) =>
        new URL(url).pathname === "/healthz"
          ? Response.json({ status: "ok", version: "9.0.0" })
          : Response.json(
              { code: "NOT_FOUND", title: "Not found", detail: "There is no such route." },
              { status: 404 },
            ),
    });
    const environment = { CUPEL_KEY: "cupel_none" };
    const { code, err } = await run(["inspect", penguins, "--server", `http://127.0.0.1:${other.port}`], {
      environment,
    });
    expect([code, err]).toEqual([3, expect.stringContaining("The server is Cupel 9.0.0, this program")]);
  });

  test("keeps a key of its own in a private file, and shows it nowhere", async () => {
    const { code, out, err } = await logIn();
    expect([code, err]).toEqual([0, ""]);
    const { servers } = JSON.parse(readFileSync(serversFile, "utf8")) as { servers: { url: string; key: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([live.address]);
    expect(statSync(serversFile).mode & 0o777).toBe(0o600);
    expect(out).not.toContain(servers[0]!.key);
    expect(aliveKeys()).toMatchObject([{ name: `cupel on ${hostname()}`, scopes: ["read", "write", "predict"] }]);
  });

  test("again replaces the key, and revokes the earlier one", async () => {
    const [earlier] = aliveKeys();
    expect((await logIn(`${live.address}/`)).code).toBe(0);
    const [key, ...others] = aliveKeys();
    expect(others).toEqual([]);
    expect(key!.key).not.toBe(earlier!.key);
  });

  test("takes a key from standard input, which a logout leaves valid", async () => {
    const environment = { XDG_CONFIG_HOME: join(folder, "other") };
    const key = live.keyWith("read", "write", "predict");
    expect(await run(["login", live.address, "--key"], { input: `${key}\n`, environment })).toMatchObject({ code: 0 });
    expect((await run(["inspect", penguins, "--server"], { environment })).code).toBe(0);
    const ended = await run(["logout"], { environment });
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining("it stays valid")]);
    const named = { ...environment, CUPEL_KEY: key, CUPEL_URL: live.address };
    expect((await run(["inspect", penguins, "--server"], { environment: named })).code).toBe(0);
    const wrong = await run(["login", live.address, "--key"], { input: "cupel_wrong\n", environment: named });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/does not take your key: .* Type: cupel login/)]);
    const stale = { ...named, CUPEL_KEY: "cupel_stale" };
    for (const command of [
      ["inspect", penguins, "--server"],
      ["login", live.address],
    ]) {
      const { code, err } = await run(command, { environment: stale });
      expect([code, err]).toEqual([1, expect.stringContaining("Set another key in CUPEL_KEY, or unset it")]);
    }
    const narrow = { ...named, CUPEL_KEY: live.keyWith("predict") };
    const { code, err } = await run(["inspect", penguins, "--server"], { environment: narrow });
    expect([code, err]).toEqual([1, expect.stringContaining("Set another key in CUPEL_KEY, or unset it")]);
  });

  test("trusts a further authority where it is named", async () => {
    const { certificate, key } = makeCertificate();
    writeFileSync(join(folder, "authority.pem"), certificate);
    using proxy = Bun.serve({
      port: 0,
      tls: { cert: certificate, key },
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        headers.delete("host");
        const body = ["GET", "HEAD"].includes(method) ? null : await request.arrayBuffer();
        return fetch(live.address + pathname + search, { method, headers, body });
      },
    });
    const url = `https://localhost:${proxy.port}`;
    const environment = { XDG_CONFIG_HOME: join(folder, "other") };
    const ask = (...more: string[]) =>
      run(["login", url, "--user", USER, "--password-stdin", ...more], { input: PASSWORD, environment });
    const refused = await ask();
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("is not trusted here")]);
    const none = await ask("--ca-file", penguins);
    expect([none.code, none.err]).toEqual([3, expect.stringContaining("holds no certificate")]);
    const other = `https://127.0.0.2:${proxy.port}`;
    const options = ["login", other, "--user", USER, "--password-stdin", "--ca-file", "authority.pem"];
    const misnamed = await run(options, { input: PASSWORD, environment });
    expect([misnamed.code, misnamed.err]).toEqual([
      1,
      expect.stringContaining("is for other names than 127.0.0.2: localhost, 127.0.0.1. Use one of them"),
    ]);
    expect((await ask("--ca-file", "authority.pem")).code).toBe(0);
    expect((await run(["inspect", penguins, "--server"], { environment })).code).toBe(0);
    expect((await run(["logout", url], { environment })).out).toContain("the key is revoked");
    proxy.stop(true);
  });
});

describe("with --server", () => {
  test("inspect shows what the server understood, and leaves nothing there", async () => {
    const options = ["inspect", penguins, "--label", "sex", "--missing", "NA"];
    const [here, there] = await Promise.all([run(options), run([...options, "--server"])]);
    expect(there.code).toBe(0);
    expect(there.out.split("\n").slice(1)).toEqual(here.out.split("\n").slice(1));
    expect(await cupel.datasets.count()).toBe(0);
    const { columns: local } = JSON.parse((await run([...options, "--json"])).out);
    expect(JSON.parse((await run([...options, "--json", "--server"])).out).columns).toEqual(local);
  });

  test("run leaves what a local run leaves", async () => {
    const options = ["run", penguins, "--scaling", "2", "--no-refine", "--predict", penguins];
    const here = await run([...options, "--out", "here"]);
    const there = await run([...options, "--server", "--out", "there"]);
    expect([here.code, there.code]).toEqual([0, 0]);
    expect(readdirSync(join(folder, "there"))).toEqual(readdirSync(join(folder, "here")));
    expect(bytesOf("there", "predictions-penguins.csv")).toEqual(bytesOf("here", "predictions-penguins.csv"));
    const told = (text: string) => text.replaceAll("there", "here").split("\n").slice(1);
    expect(told(there.out).filter((line) => !line.startsWith("Server"))).toEqual(told(here.out));
    const [local, remote] = [
      readJson<RunSummary>("here", "summary.json"),
      readJson<RunSummary>("there", "summary.json"),
    ];
    expect({ ...remote.predictions }).toEqual({ ...local.predictions });
    expect(remote.versions.map(({ file }) => file)).toEqual(local.versions.map(({ file }) => file));
    expect(remote.file).toEqual(local.file);
    expect(remote.server).toMatchObject({ url: live.address });
    expect(there.err).toContain("once the labels of penguins.csv are known: cupel watch ");
    const scored = await run(["predict", join("there", "model.cupel"), penguins]);
    expect(scored.out).toBe(bytesOf("there", "predictions-penguins.csv").toString());
  });

  test("predict takes the run's folder or the model's key", async () => {
    const { modelKey } = readJson<RunSummary>("there", "summary.json").server!;
    const byFolder = await run(["predict", "there", penguins, "--server", "--out", "result.csv"]);
    expect([byFolder.code, byFolder.out]).toEqual([0, "344 rows scored: result.csv\n"]);
    expect(bytesOf("result.csv")).toEqual(bytesOf("here", "predictions-penguins.csv"));
    const byKey = await run(["predict", modelKey, penguins, "--reasons", "1", "--server"]);
    expect(byKey.out).toBe((await run(["predict", "here/model.cupel", penguins, "--reasons", "1"])).out);
    const unknown = await run(["predict", crypto.randomUUID(), penguins, "--server"]);
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("There is no model with this key.")]);
    const file = await run(["predict", "here/model.cupel", penguins, "--server"]);
    expect([file.code, file.err]).toEqual([3, expect.stringContaining("names no model of a server")]);
    const feed = await run(["predict", modelKey, "-", "--server"]);
    expect([feed.code, feed.err]).toEqual([3, expect.stringContaining("no feeds")]);
  });

  test("watch adds the labels of a prediction, and says what a local watch says of them", async () => {
    const table = readFileSync(penguins, "utf8");
    const header = table.slice(0, table.indexOf("\n"));
    const label = header.split(",").at(-1)!;
    writeFileSync(join(folder, "new.csv"), table.replaceAll(/,[^,\n]*$/gm, ""));
    writeFileSync(join(folder, "later.csv"), table.replaceAll(/^.*,/gm, ""));
    const predicted = await run(["predict", "there", "new.csv", "--server", "--out", "new-result.csv"]);
    const [, key] = /cupel watch (\S+) --labels/.exec(predicted.err)!;
    const there = await run(["watch", key!, "--labels", "later.csv", "--label", label, "--server"]);
    const files = ["--labels", "later.csv", "--predicted", "new-result.csv"];
    const here = await run(["watch", "here/model.cupel", ...files]);
    expect([there.code, there.out]).toEqual([here.code, here.out]);
    expect(there.out).toContain("on 344 rows with a label");
    const json = await run(["watch", key!, "--labels", "later.csv", "--server", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ predictionKey: key, ofVersion: { rowCount: 344 } });
    const unknown = await run(["watch", crypto.randomUUID(), "--labels", "later.csv", "--server"]);
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("There is no prediction with this key.")]);
    const missing = await run(["watch", key!, "--labels", "missing.csv", "--server"]);
    expect([missing.code, missing.err]).toEqual([3, expect.stringContaining("missing.csv")]);
    const noKey = await run(["watch", "new-result.csv", "--labels", "later.csv", "--server"]);
    expect([noKey.code, noKey.err]).toEqual([3, expect.stringContaining("new-result.csv is no key of a prediction")]);
    const other = { CUPEL_KEY: "cupel_other" };
    const refused = await run(["watch", key!, "--labels", "later.csv", "--server"], { environment: other });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("the key of CUPEL_KEY")]);
    const rows = await run(["watch", key!, "new.csv", "--server"]);
    expect([rows.code, rows.err]).toEqual([2, expect.stringContaining("the key of a prediction and --labels")]);
  });

  test.each([
    ["TEST.csv", ["train.csv", "test.csv"]],
    ["TRAIN.csv", ["train.csv"]],
  ])("refine with %s leaves the files of a local refinement", async (testFile, files) => {
    const options = ["refine", "TRAIN.csv", testFile, "--buckets", "10"];
    const here = await run([...options, "--out", "refined-here"]);
    const there = await run([...options, "--server", "--out", "refined-there"]);
    expect([here.code, there.code, there.err]).toEqual([0, 0, expect.any(String)]);
    const written = readJson<RefinementSummary>("refined-there", "refinement.json").files;
    expect(written.map(({ file }) => file)).toEqual(files);
    for (const name of files) {
      expect(bytesOf("refined-there", name)).toEqual(bytesOf("refined-here", name));
    }
    const facts = (where: string) => {
      const {
        elapsedSeconds: _,
        activities: _a,
        workers: _w,
        budgetSeconds: _b,
        server: _s,
        ...rest
      } = readJson<RefinementSummary>(where, "refinement.json");
      // A server that has one file does not say which it is.
      const warnings = rest.warnings.map((warning) => ({
        ...warning,
        message: warning.message.replace('TRAIN file "TRAIN.csv": ', ""),
      }));
      return { ...rest, warnings };
    };
    expect(facts("refined-there")).toEqual(facts("refined-here"));
    const told = (text: string) => text.replaceAll("refined-there", "refined-here").split("\n").slice(1);
    expect(told(there.out).filter((line) => !line.startsWith("Server"))).toEqual(told(here.out));
    expect(bytesOf("refined-there", "report.html").toString()).toContain("Column by column");
  });

  test("run refines first, with or without a TEST file", async () => {
    for (const more of [[], ["--test", "TEST.csv"]]) {
      const { code, err } = await run(["run", "TRAIN.csv", "--scaling", "0", "--server", "--out", "both", ...more]);
      expect([code, err]).toEqual([0, expect.stringContaining("4 of 10 columns stay.")]);
      const { refinement, targetPerformance, columns } = readJson<RunSummary>("both", "summary.json");
      expect(refinement!.keptColumns).toEqual(["strong", "weak", "left", "right"]);
      expect([refinement!.test === null, targetPerformance]).toEqual([more.length === 0, refinement!.reachedTarget]);
      expect(columns).toHaveLength(5);
    }
  });

  test("columns that are left out do not count among those that stay", async () => {
    for (const where of [["--server"], []]) {
      const { code, err } = await run([
        "run",
        "TRAIN.csv",
        "--scaling",
        "0",
        ...where,
        "--out",
        "w",
        "--without",
        "id",
      ]);
      expect([code, err]).toEqual([0, expect.stringContaining("Refined: 4 of 9 columns to learn from stay.")]);
    }
  });

  test("a run of costs asks for these", async () => {
    const options = ["--cost", "yes=5", "--scaling", "0", "--server", "--out", "costs"];
    expect((await run(["run", "TRAIN.csv", ...options])).code).toBe(0);
    expect(readJson<RunSummary>("costs", "summary.json").costs).toEqual([
      [0, 1],
      [5, 0],
    ]);
  });

  test("what the server refuses is told as here, and leaves nothing there", async () => {
    const before = await cupel.datasets.count();
    const there = await run(["run", penguins, "--label", "nobody", "--server", "--out", "none"]);
    expect([there.code, there.err]).toEqual([3, expect.stringContaining('no column "nobody"')]);
    const missing = await run(["run", "missing.csv", "--server", "--out", "none"]);
    expect([missing.code, missing.err]).toEqual([3, expect.stringContaining("missing.csv")]);
    expect([await cupel.datasets.count(), existsSync(join(folder, "none"))]).toEqual([before, false]);
  });

  test.each([
    ["run", penguins, "--seed", "2"],
    ["run", penguins, "--time-cap", "60"],
    ["run", penguins, "--workers", "1"],
    ["run", penguins, "--memory-budget-mib", "1000"],
    ["run", penguins, "--like-input"],
    ["refine", penguins, penguins, "--seed", "2"],
    ["predict", "there", penguins, "--only", "prediction"],
    ["predict", "there", penguins, "--no-output-header"],
    ["predict", "there", penguins, "--as-trained"],
    ["watch", "key", "--labels", penguins, "--predicted", penguins],
    ["watch", "key", "--labels", penguins, "--counts", "counts.json"],
  ])("%s %s %s %s is refused before anything is sent", async (...args) => {
    const { code, err } = await run([...(args as string[]), "--server", "http://127.0.0.1:1"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: --[a-z-]+ does not go with --server: /)]);
  });

  test("an expired key of the variable asks for another", async () => {
    const { database } = live.service;
    const { apiKey, tokenHash } = makeApiKey();
    const { key: userKey } = findUserByEmail(database, USER)!;
    const about = { key: crypto.randomUUID(), userKey, name: "old", tokenHash, scopes: ["read"] };
    insertApiKey(database, { ...about, expiresOn: "2020-01-01T00:00:00.000Z" }, new Date());
    const environment = { CUPEL_KEY: apiKey, XDG_CONFIG_HOME: join(folder, "none") };
    const { code, err } = await run(["inspect", penguins, "--server", live.address], { environment });
    expect([code, err.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining(`or unset it and type: cupel login ${live.address}`),
    ]);
    expect(err).not.toContain(apiKey);
  });

  test("a line that breaks again and again delays a run, and no more", async () => {
    const link = await startBreakingLink(live.port);
    const cuts = new Set<string>();
    link.cut = (request) => {
      const isFirst = !cuts.has(request) && !request.includes("/healthz");
      cuts.add(request);
      return isFirst ? (request.startsWith("GET") ? "before" : "answer") : null;
    };
    const environment = {
      CUPEL_KEY: live.keyWith("read", "write", "predict"),
      XDG_CONFIG_HOME: join(folder, "none"),
    };
    const options = ["--scaling", "0", "--no-refine", "--predict", penguins, "--server", link.origin];
    const { code, err } = await run(["run", penguins, ...options, "--out", "broken"], { environment });
    expect([code, err, cuts.size > 8]).toEqual([0, expect.any(String), true]);
    expect(bytesOf("broken", "predictions-penguins.csv").length).toBeGreaterThan(10_000);
    await link.close();
  });
});

test("a logout revokes the key, also of a server that is named", async () => {
  const { code, out } = await run(["logout", live.address]);
  expect([code, out]).toEqual([0, `Logged out of ${live.address}: the key is revoked.\n`]);
  expect(aliveKeys().filter(({ name }) => name.startsWith("cupel on "))).toEqual([]);
  expect((await run(["logout"])).code).toBe(2);
});
