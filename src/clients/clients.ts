// The clients for programs as they are handed out, by the names that they are saved under. Another one is a line.
import python from "./python/cupel.py" with { type: "text" };
import types from "./typescript/cupel.d.ts.txt" with { type: "text" };
import { typescriptClient } from "./typescript.ts";

interface ClientFile {
  contentType: string;
  text(): string | Promise<string>;
}

export const CLIENTS = {
  "cupel.js": { contentType: "text/javascript; charset=utf-8", text: typescriptClient },
  "cupel.d.ts": { contentType: "application/typescript; charset=utf-8", text: () => types },
  "cupel.py": { contentType: "text/x-python; charset=utf-8", text: () => python },
} as const satisfies Readonly<Record<string, ClientFile>>;

export type ClientName = keyof typeof CLIENTS;
export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];
