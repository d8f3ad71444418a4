// The text of `cupel licenses`: the licence of everything inside the
// executable. Run as a program it writes licenses.txt.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledFiles } from "./bundle.ts";

const REPOSITORY = join(import.meta.dir, "../..");
const RULE = "=".repeat(78);

interface Part {
  name: string;
  license: string;
  text: string;
}

/** The text for the current sources and the installed packages. */
export async function licenseText(): Promise<string> {
  const cupelLicense = { name: "Cupel", license: "Apache-2.0", text: read("LICENSE") };
  const parts = [cupelLicense, ...runtimeParts(), ...packageParts(await bundledFiles())];
  return [
    "Cupel and everything inside its executable, each under its own terms.\n",
    ...parts.map(({ name, license }) => `  ${name}: ${license}`),
    ...parts.map(({ name, license, text }) => `\n${RULE}\n${name}: ${license}\n${RULE}\n\n${plainLines(text)}`),
    "",
  ].join("\n");
}

if (import.meta.main) writeFileSync(join(import.meta.dir, "licenses.txt"), await licenseText());

/** Bun's own account of its licences, from the package of its types, and the two texts that must accompany it. */
function runtimeParts(): Part[] {
  const { version } = readManifest("node_modules/bun-types");
  const account = plainText(read("node_modules/bun-types/docs/project/license.mdx"));
  const relinking = "To put a Bun of your own below Cupel, build Cupel from its sources with that Bun: bun run build.";
  return [
    { name: `Bun ${version}`, license: "MIT, with libraries under other terms", text: `${account}\n\n${relinking}` },
    {
      name: "GNU Library General Public License 2.0",
      license: "of JavaScriptCore and WebKit in Bun",
      text: read("src/packaging/lgpl-2.0.txt"),
    },
    {
      name: "GNU Lesser General Public License 2.1",
      license: "of tinycc in Bun",
      text: read("src/packaging/lgpl-2.1.txt"),
    },
  ];
}

/** Markdown as plain text: rows of tables become list items, links become addresses. */
function plainText(page: string): string {
  return page
    .replace(/^---\n.*?\n---\n/s, "")
    .replace(/^\| *(?:Library|Package) .*\n\|[ |-]+\n/gm, "")
    .replace(/^\| *(.*?) *\| *(.*?) *\|$/gm, "- $1: $2")
    .replace(/\[([^\]]+)\]\(https:\/\/npmjs\.com[^)]*\)/g, "$1")
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, "$1 ($2)")
    .replace(/`|^#+ /gm, "")
    .trim();
}

/** Every package with a bundled file, once per version. */
function packageParts(files: readonly string[]): Part[] {
  const parts = new Map<string, Part>();
  for (const [folder, bundled] of byPackage(files)) {
    const { name, version, license, author, repository } = readManifest(folder);
    if (license === undefined) throw new Error(`${name} does not say what its licence is.`);
    const texts = licenseFiles(folder, bundled).map(read);
    const source = typeof repository === "object" ? repository.url : repository;
    const maker = typeof author === "object" ? author.name : author;
    if (texts.length === 0) texts.push(`The package holds no text of its licence. By ${maker}, ${source}`);
    const title = `${name} ${version}`;
    parts.set(title, { name: title, license, text: [...texts, ...holdings(folder, bundled)].join("\n\n") });
  }
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function byPackage(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const [, folder, path] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(file) ?? [];
    if (folder !== undefined) found.set(folder, [...(found.get(folder) ?? []), path!]);
  }
  return found;
}

/** The package's licence files, and those that its own bundler put beside a file for what that contains. */
function licenseFiles(folder: string, bundled: readonly string[]): string[] {
  const ofPackage = readdirSync(join(REPOSITORY, folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const ofFiles = bundled
    .map((path) => `${path}.LICENSE.txt`)
    .filter((path) => existsSync(join(REPOSITORY, folder, path)));
  return [...ofPackage.sort(), ...ofFiles].map((path) => join(folder, path));
}

/** Names the packages that, by their source maps, are inside bundled files. */
function holdings(folder: string, bundled: readonly string[]): string[] {
  const maps = bundled.map((path) => join(folder, `${path}.map`)).filter((path) => existsSync(join(REPOSITORY, path)));
  const sources = maps.flatMap((path) => (JSON.parse(read(path)) as { sources: string[] }).sources);
  const names = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return names.length === 0 ? [] : [`Its file holds, of other packages: ${[...new Set(names)].sort().join(", ")}.`];
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  repository?: string | { url: string };
}

function readManifest(folder: string): Manifest {
  return JSON.parse(read(`${folder}/package.json`)) as Manifest;
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

function plainLines(text: string): string {
  return text.replace(/\r/g, "").replace(/\t/g, "    ").replace(/ +$/gm, "").replace(/^\n+/, "").trimEnd();
}
