// Runtimes of other machines: only the file that is known is built upon. A
// registry of our own on this machine serves them.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { devDependencies } from "../../../package.json";
import { BUN_VERSION, fetchRuntime, MACHINES, type Machine } from "../../../src/packaging/runtimes.ts";
import { testFolder } from "../../support/folders.ts";

const ROOT = testFolder(() => registry.stop(true));
const CONTENT = "what somebody put there\n";
const machine = MACHINES.find(({ name }) => name === "linux-arm64")!;
const MANIFEST = { name: machine.runtime.package, version: BUN_VERSION, os: [machine.os], cpu: [machine.cpu] };

const registry = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }): Response => {
    const path = decodeURIComponent(new URL(url).pathname);
    if (path === "/package.tgz") return new Response(readFileSync(join(ROOT, "package.tgz")));
    if (path !== `/${MANIFEST.name}`) return new Response(null, { status: 404 });
    const integrity = `sha512-${createHash("sha512")
      .update(readFileSync(join(ROOT, "package.tgz")))
      .digest("base64")}`;
    const dist = { integrity, tarball: new URL("/package.tgz", url).href };
    return Response.json({
      name: MANIFEST.name,
      "dist-tags": { latest: BUN_VERSION },
      versions: { [BUN_VERSION]: { ...MANIFEST, dist } },
    });
  },
});
beforeAll(() => {
  mkdirSync(join(ROOT, "package/bin"), { recursive: true });
  writeFileSync(join(ROOT, "package/package.json"), JSON.stringify(MANIFEST));
  writeFileSync(join(ROOT, "package/bin/bun"), CONTENT);
  const { exitCode } = Bun.spawnSync(["tar", "-czf", "package.tgz", "package"], { cwd: ROOT });
  expect(exitCode).toBe(0);
});

/** Fetches from the registry into a new folder. */
function fetched(changes: Partial<Machine["runtime"]>): Promise<string> {
  const folder = mkdtempSync(join(ROOT, "fetched-"));
  const settings = { BUN_CONFIG_REGISTRY: registry.url.href, BUN_INSTALL_CACHE_DIR: join(ROOT, "cache") };
  return fetchRuntime({ ...machine, runtime: { ...machine.runtime, ...changes } }, folder, settings);
}

describe("a runtime", () => {
  test("comes from the registry where it is the known file", async () => {
    const path = await fetched({ sha256: createHash("sha256").update(CONTENT).digest("hex") });
    expect(readFileSync(path, "utf8")).toBe(CONTENT);
  });

  test("is refused where it is another file, though the registry vouches for it", async () => {
    const message = await fetched({}).catch((error: Error) => error.message);
    expect(message).toBe(
      `${MANIFEST.name}@${BUN_VERSION} has the SHA-256 ${createHash("sha256").update(CONTENT).digest("hex")}, ` +
        `and not ${machine.runtime.sha256}`,
    );
  });

  test("that cannot be had is said to be so", async () => {
    const message = await fetched({ package: "@oven/bun-none" }).catch((error: Error) => error.message);
    expect(message).toStartWith(`@oven/bun-none@${BUN_VERSION} cannot be fetched: `);
  });
});

describe("the machines", () => {
  test("are of the Bun that the program is written for", () => {
    expect(BUN_VERSION).toBe(devDependencies["bun-types"]);
  });

  test("have each a name and a file of its own", () => {
    expect(new Set(MACHINES.map(({ name }) => name)).size).toBe(MACHINES.length);
    expect(new Set(MACHINES.map(({ runtime }) => runtime.sha256)).size).toBe(MACHINES.length);
  });
});

test("bun run build takes no flag but --all", async () => {
  const script = join(import.meta.dir, "../../../src/packaging/build.ts");
  const child = Bun.spawn([process.execPath, script, "--everything"], { stderr: "pipe" });
  expect(await child.exited).toBe(2);
  expect(await child.stderr.text()).toContain("--all");
});
