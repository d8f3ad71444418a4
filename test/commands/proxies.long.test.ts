// The examples of docs/operate.md for nginx and Caddy, as they stand there, in front of a real server: addresses,
// certificate and ports apart, which are the test's own.
import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeCertificate } from "../support/certificate.ts";
import { testFolder } from "../support/folders.ts";
import { knownTable } from "../support/refinery.ts";
import { endAll, FROM_SOURCE, PASSWORD, readUntil, start } from "../support/server.ts";
import { describeWithTools, examplesIn, findTool } from "../support/tools.ts";

/** What curl comes from, so that a proxy and its client are told apart. */
const CLIENT = "127.0.0.2";
/** Above what nginx takes unless told otherwise. */
const UPLOAD_BYTES = 20_000_000;
const NAME = "cupel.example.org";

const ROOT = testFolder(endAll);
const { certificate, key } = makeCertificate();
writeFileSync(join(ROOT, "cupel.pem"), certificate);
writeFileSync(join(ROOT, "cupel.key"), key);
chmodSync(ROOT, 0o755);

/** Replaces what is the test's own, each of which must stand there. */
function adapted(example: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, example);
}

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => holder.once("listening", resolve));
  const { port } = holder.address() as { port: number };
  await new Promise((resolve) => holder.close(resolve));
  return port;
}

/** The server as the document starts it, for a proxy on a port; gives its own port, which its lines do not name. */
async function serveBehind(folder: string, port: number): Promise<number> {
  const [command = ""] = examplesIn("docs/operate.md", "sh", "--trusted-proxies");
  const text = adapted(command.trim(), { [`https://${NAME}/`]: `https://${NAME}:${port}/` });
  const inner = await freePort();
  const args = [...text.split(" ").slice(1), "--data", folder, "--port", String(inner)];
  const child = start(FROM_SOURCE, args, { CUPEL_ADMIN_EMAIL: "ada@example.org", CUPEL_ADMIN_PASSWORD: PASSWORD });
  await readUntil(child.stdout, /listening on \S+\n/);
  return inner;
}

/** Asks through the proxy, as a client at another address; rejects with what was wrong. */
async function curl(port: number, ...args: string[]): Promise<string> {
  const child = start(
    "curl -sS --fail-with-body --insecure --retry 20 --retry-connrefused --retry-delay 1".split(" "),
    [...["--interface", CLIENT, "--resolve", `${NAME}:${port}:127.0.0.1`], ...args],
  );
  const [printed, noted, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`curl ended with ${code}: ${noted}${printed}`);
  return printed;
}

/** What people do behind a proxy, and what the server makes of who they are. */
async function expectService(port: number): Promise<void> {
  const base = `https://${NAME}:${port}/cupel`;
  expect(await curl(port, `${base}/`)).toStartWith("<!doctype html>");
  const json = ["-H", "content-type: application/json"];
  const login = JSON.stringify({ username: "ada@example.org", password: PASSWORD });
  const { access_token: token } = JSON.parse(await curl(port, `${base}/api/login`, ...json, "-d", login));
  const as = ["-H", `authorization: Bearer ${token}`];
  const asked = JSON.stringify({ name: "through a proxy", numberOfBuckets: 10 });
  const made = JSON.parse(await curl(port, `${base}/api/v1/datasets`, ...as, ...json, "-d", asked));
  const { uploadUrl, extraHeaders } = made.datasetUploadInfo as { uploadUrl: string; extraHeaders: object };
  expect(uploadUrl).toStartWith(`${base}/`);
  const table = join(ROOT, "table.csv");
  const [header = "", ...rows] = knownTable(2_000, 1).trimEnd().split("\n");
  const block = `${rows.join("\n")}\n`;
  writeFileSync(table, `${header}\n${block.repeat(Math.ceil(UPLOAD_BYTES / block.length))}`);
  const headers = Object.entries(extraHeaders).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  await curl(port, "-T", table, ...headers, "-H", "content-type: text/csv", uploadUrl);
  const form = ["-F", "name=as a form", "-F", "numberOfBuckets=10", "-F", `file=@${table};type=text/csv`];
  await curl(port, `${base}/api/v1/datasets`, ...as, ...form);
  const { datasets } = JSON.parse(await curl(port, `${base}/api/v1/datasets`, ...as));
  expect(datasets.map(({ status }: { status: string }) => status)).not.toContain("PENDING");
  const audit = await curl(port, `${base}/api/v1/audit`, ...as);
  const addresses = [...audit.matchAll(/"address":"([^"]+)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set([CLIENT]));
}

describeWithTools("the example for nginx", { needed: ["curl"], welcome: ["nginx"] }, () => {
  test("leads people and their files to the server", async () => {
    const port = await freePort();
    const inner = await serveBehind(join(ROOT, "nginx-state"), port);
    const [example = ""] = examplesIn("docs/operate.md", "nginx", "server {");
    const site = adapted(example, {
      "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
      "/etc/ssl/cupel": join(ROOT, "cupel"),
      "127.0.0.1:8080": `127.0.0.1:${inner}`,
    });
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => {
      return `${name}_temp_path ${join(ROOT, name)};`;
    });
    const config = join(ROOT, "nginx.conf");
    const http = `http { access_log off; ${folders.join(" ")}\n${site} }`;
    writeFileSync(config, `daemon off; pid ${join(ROOT, "nginx.pid")}; error_log stderr;\nevents {}\n${http}\n`);
    const child = start([findTool("nginx")!], ["-c", config, "-p", ROOT]);
    await expectService(port);
    child.kill("SIGTERM");
    await child.exited;
  });
});

describeWithTools("the example for Caddy", { needed: ["curl"], welcome: ["caddy"] }, () => {
  test("leads people and their files to the server", async () => {
    const port = await freePort();
    const inner = await serveBehind(join(ROOT, "caddy-state"), port);
    const [example = ""] = examplesIn("docs/operate.md", "caddy", "reverse_proxy");
    const tls = `tls ${join(ROOT, "cupel.pem")} ${join(ROOT, "cupel.key")}`;
    const site = adapted(example, {
      [`${NAME} {`]: `https://${NAME}:${port} {\n    bind 127.0.0.1\n    ${tls}`,
      "127.0.0.1:8080": `127.0.0.1:${inner}`,
    });
    const config = join(ROOT, "Caddyfile");
    writeFileSync(config, `{\n    admin off\n    auto_https disable_redirects\n}\n${site}`);
    const homes = { HOME: ROOT, XDG_CONFIG_HOME: join(ROOT, "config"), XDG_DATA_HOME: join(ROOT, "data") };
    const child = start([findTool("caddy")!], ["run", "--config", config, "--adapter", "caddyfile"], homes);
    await expectService(port);
    child.kill("SIGTERM");
    await child.exited;
  });
});
