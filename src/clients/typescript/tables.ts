// Everything that may hold a table, as one thing to send: a blob with a name.
import { type Cell, csvOf, type Row } from "./csv.ts";
import { ownProblem } from "./problem.ts";

export type { Cell, Row };

/**
 * A table: the path of a CSV file (Node and Bun), the text of one (it has a line end), a `Blob` or `File`, a stream of
 * bytes, or rows as objects. A stream is gathered in memory first, since it must be possible to send it twice.
 */
export type Table = string | Blob | ReadableStream<Uint8Array> | readonly Row[];

export interface NamedBlob {
  blob: Blob;
  /** Without folders, as far as it is known. */
  name: string;
}

const CSV = { type: "text/csv" };

/** @throws CupelProblem UNUSABLE_TABLE, or the signal's reason */
export async function blobOf(table: Table, signal: AbortSignal | undefined): Promise<NamedBlob> {
  if (typeof table === "string") {
    if (/[\r\n]/.test(table)) return { blob: new Blob([table], CSV), name: "table.csv" };
    return { blob: await openFile(table), name: table.replace(/^.*[/\\]/s, "") };
  }
  if (table instanceof Blob) {
    // A browser's file, and Bun's, has a name.
    const name = "name" in table && typeof table.name === "string" ? table.name : "table.csv";
    return { blob: table, name: name.replace(/^.*[/\\]/s, "") };
  }
  if (table instanceof ReadableStream) return { blob: await gathered(table, signal), name: "table.csv" };
  if (Array.isArray(table) && table.length > 0) return { blob: new Blob([csvOf(table)], CSV), name: "table.csv" };
  throw ownProblem(
    "UNUSABLE_TABLE",
    "There is no table",
    "Give the path of a CSV file, its text, a Blob, a stream of bytes, or a list of rows with one row at least.",
  );
}

/** Read as it is sent, so large files take no memory. */
async function openFile(path: string): Promise<Blob> {
  if (typeof process === "undefined") {
    throw ownProblem(
      "UNUSABLE_TABLE",
      "Browsers open no paths",
      `"${path}" is a path. Give a File or Blob, or the text.`,
    );
  }
  try {
    const { accessSync, constants, openAsBlob, statSync } = await import("node:fs");
    // Some runtimes look at the file only when it is sent.
    accessSync(path, constants.R_OK);
    if (!statSync(path).isFile()) throw new Error("it is no file");
    return await openAsBlob(path, CSV);
  } catch (error) {
    throw ownProblem(
      "UNUSABLE_TABLE",
      "The file cannot be read",
      `There is no file "${path}" that may be read.`,
      error,
    );
  }
}

async function gathered(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): Promise<Blob> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return new Blob(pieces, CSV);
      pieces.push(new Uint8Array(value));
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    reader.releaseLock();
  }
}
