// Exports of models to other formats: a thread makes one at a time, into a file that is removed once it is sent.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, read } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { InputError } from "../../../engine/input-error.ts";
import { type MemoryLimits, MIB } from "../../common/memory-budget.ts";
import { ApiError } from "../../http/problem.ts";
import { RequestThread, soonAgain } from "../request-thread.ts";
import type { ModelExports } from "../services.ts";

/** Memory beside an idle thread, in bytes per byte of the model: 13 measured on 2.2 million nodes. */
const MEMORY_COPIES = 15;
const THREAD_BYTES = 48 * MIB;
const PIECE_BYTES = 256 * 1024;
/** Exports under way or waiting at most. */
const MOST_AT_ONCE = 8;
/** A model that cannot be exported to a format: the message says what to do instead. */
const REFUSALS: readonly string[] = ["TEXT_NOT_IN_ONNX", "TOO_LARGE_FOR_ONNX"];
const BUSY = "Too many models are being written in other forms; wait a moment.";
const FAILED = "The file could not be made now. Ask for it again in a while.";

/** `folder`: for files under way, emptied when the server starts. */
export function createModelExports(
  spawnWorker: () => Worker,
  folder: string,
  { jobBytes }: Pick<MemoryLimits, "jobBytes">,
): ModelExports {
  const thread = new RequestThread(spawnWorker);
  let underWay = 0;
  return {
    onnx: async (modelPath, ml) => {
      if (underWay >= MOST_AT_ONCE) throw soonAgain("BUSY", BUSY);
      underWay++;
      const outputPath = join(folder, `${randomUUID()}.onnx`);
      try {
        requireMemory((await stat(modelPath)).size, jobBytes.light / 2);
        const { sizeBytes } = await thread.run("exportOnnx", { modelPath, outputPath, ml }, FAILED);
        return { sizeBytes, body: bodyOf(openSync(outputPath, "r")) };
      } catch (error) {
        const isRefused = error instanceof InputError && REFUSALS.includes(error.code);
        throw isRefused ? new ApiError("NOT_EXPORTABLE", error.message) : error;
      } finally {
        underWay--;
        // An open file stays readable after it is removed. A system that forbids that leaves it to the next start.
        await rm(outputPath, { force: true }).catch(() => undefined);
      }
    },
    close: () => thread.close(),
  };
}

const readSome = promisify(read);

/** Closes the file at its end, or when nobody reads on: the server below cancels the stream that it does not send. */
function bodyOf(file: number): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { bytesRead, buffer } = await readSome(file, new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, null).catch(
          (error) => {
            closeSync(file);
            throw error;
          },
        );
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        closeSync(file);
        controller.close();
      },
      cancel: () => closeSync(file),
    },
    { highWaterMark: 0 },
  );
}

function requireMemory(modelBytes: number, mostBytes: number): void {
  const needBytes = THREAD_BYTES + MEMORY_COPIES * modelBytes;
  if (needBytes <= mostBytes) return;
  const [needMib, mostMib] = [needBytes, mostBytes].map((bytes) => Math.ceil(bytes / MIB));
  const detail =
    `Making this file takes up to ${needMib} MiB of memory, and ${mostMib} MiB may be used for it. ` +
    "Download the .cupel file, and use `cupel export` on another machine.";
  throw new ApiError("MEMORY_BUDGET", detail);
}
