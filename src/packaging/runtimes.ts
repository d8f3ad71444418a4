// The runtimes for executables of other machines: files of Bun, each known by its hash.
import { createHash } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The version of these runtimes: only the Bun that wrote bytecode can read it. */
export const BUN_VERSION = "1.4.5";

export interface Machine {
  /** Part of the executable's name. */
  name: string;
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  runtime: {
    /** The package that holds it. */
    package: string;
    file: "bin/bun" | "bin/bun.exe";
    sha256: string;
    /** The bundler's name. */
    target: string;
  };
  /** A note for somebody who has only the file; null for none. */
  note: string | null;
}

const MUSL_NOTE = "needs libstdc++ (Alpine: apk add libstdc++)";
// The bundler signs only for Apple silicon; for Intel it keeps Bun's signature, which the added code breaks.
const BROKEN_SIGNATURE_NOTE = "its signature is not valid: on the Mac, run codesign --force --sign - FILE";

/**
 * There is no separate build for older processors: in this Bun, linux-x64 and
 * linux-x64-baseline are the same file, which needs SSE4.2 but not AVX2.
 */
export const MACHINES: readonly Machine[] = [
  machine("linux", "x64", "f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083"),
  machine("linux", "arm64", "04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923"),
  machine("linux", "x64", "cf5d285ddbe256785a5121a3c113191a6b577504976374c7cfd5aedca609b720", MUSL_NOTE, "-musl"),
  machine("linux", "arm64", "9c48986093073afec8b76a3e285303598dd2462f52748aecb65e4d94866e1ea3", MUSL_NOTE, "-musl"),
  machine("darwin", "arm64", "e2984124f1514e1e6bbda20adedbf07a02c443c6a5828853a15c7c7abf78e19f"),
  machine("darwin", "x64", "88f97645b270aef20f9f9442f1658461cab3e7128e658af4615144e3396f084a", BROKEN_SIGNATURE_NOTE),
  {
    name: "windows-x64",
    os: "win32",
    cpu: "x64",
    runtime: {
      package: "@oven/bun-windows-x64",
      file: "bin/bun.exe",
      sha256: "e06ad0864463c68892ae71a2a64af7eae1585cac5dd9b80bc042f45605587cb1",
      target: "bun-windows-x64",
    },
    note: null,
  },
];

/**
 * Fetches a machine's runtime into an empty folder, from the package registry or
 * Bun's cache, and returns its path. It is never run here.
 *
 * @throws Error where it cannot be fetched, or has another hash
 */
export async function fetchRuntime(
  { os, cpu, runtime }: Machine,
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const { package: name, file, sha256 } = runtime;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { [name]: BUN_VERSION } }));
  const flags = [`--os=${os}`, `--cpu=${cpu}`, "--ignore-scripts", "--no-save", "--silent"];
  const child = Bun.spawn([process.execPath, "install", ...flags], {
    cwd: folder,
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [complaint, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) {
    const why = /(?<=^error: ).+/m.exec(complaint)?.[0] ?? `bun install ended with ${code}`;
    throw new Error(`${name}@${BUN_VERSION} cannot be fetched: ${why}`);
  }
  const path = join(folder, "node_modules", name, file);
  const found = await sha256Of(path);
  if (found !== sha256) throw new Error(`${name}@${BUN_VERSION} has the SHA-256 ${found}, and not ${sha256}`);
  return path;
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** A machine whose package follows Bun's naming, as all but Windows' do. */
function machine(
  os: "linux" | "darwin",
  cpu: Machine["cpu"],
  sha256: string,
  note: string | null = null,
  libc: "" | "-musl" = "",
): Machine {
  const name = `${os}-${cpu}${libc}`;
  const bunCpu = cpu === "arm64" ? "aarch64" : cpu;
  const bunPackage = `@oven/bun-${os}-${bunCpu}${libc}`;
  return { name, os, cpu, runtime: { package: bunPackage, file: "bin/bun", sha256, target: `bun-${name}` }, note };
}
