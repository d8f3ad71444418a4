// `cupel predict --server`: a model of the server scores a file.
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import type { Console } from "../commands/console.ts";
import { writeOut } from "../commands/console.ts";
import { refuseOwnInputs } from "../commands/own-inputs.ts";
import { type PredictOptions, placeFile, refusePlaces, showWarnings } from "../commands/predict.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatAmount } from "../common/format.ts";
import type { RunSummary } from "../summary/summary.ts";
import { isKey, type Remote } from "./connect.ts";
import { interruptibly } from "./interrupts.ts";
import { laterLabels } from "./remote-labels.ts";
import { showRemote } from "./remote-progress.ts";

export interface ModelPlace {
  modelKey: string;
  /** Where `run --server` made it; null for a key that was typed. */
  url: string | null;
}

/** A model's key, or what `cupel run --server` left: its folder or summary.json. @throws InputError */
export function modelPlace(text: string): ModelPlace {
  if (isKey(text)) return { modelKey: text.toLowerCase(), url: null };
  const isFolder = statSync(text, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = isFolder ? join(text, "summary.json") : text;
  try {
    const { server } = JSON.parse(existsSync(path) ? readFileSync(path, "utf8") : "{}") as Partial<RunSummary>;
    if (typeof server?.modelKey === "string" && isKey(server.modelKey) && typeof server.url === "string") {
      return { modelKey: server.modelKey, url: server.url };
    }
  } catch {
    // Said below.
  }
  throw new InputError(
    "NO_MODEL_KEY",
    `${text} names no model of a server. Give the model's key, or the folder that cupel run --server wrote; ` +
      "a model file needs no server: leave --server out.",
  );
}

/** @throws InputError, Cancelled, or what the client throws */
export async function remotePredict(
  { modelKey }: ModelPlace,
  options: PredictOptions,
  remote: Remote,
  console: Console,
): Promise<number> {
  const { inputPath, outPath, hasHeader, spreadsheetSafe, reasonCount = 0 } = options;
  if (inputPath === "-" || statSync(inputPath, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw new InputError(
      "NO_FEED",
      "A server answers whole files, no feeds. Save the rows as a file, or leave --server out.",
    );
  }
  refuseOwnInputs([inputPath], [outPath ?? "-"]);
  if (outPath !== null) refusePlaces([outPath]);
  const { progress } = console;
  return interruptibly(console, async ({ signal }) => {
    const waiting = { onProgress: showRemote(progress, inputPath), signal };
    const model = await remote.cupel.models.get(modelKey, { signal });
    const reasons = reasonCount === 0 ? undefined : reasonCount;
    const prediction = await (await model.send(inputPath, { hasHeader, reasons, ...waiting })).wait(waiting);
    const { rowCount, warnings } = await prediction.look({ signal });
    progress.note(laterLabels(prediction.key, remote.url, inputPath));
    const file = prediction.file({ spreadsheetSafe });
    if (outPath === null) {
      progress.finish();
      for await (const piece of file.stream({ signal })) writeOut(piece);
    } else {
      await placeFile(outPath, async (path) => {
        if (path === outPath) for await (const piece of file.stream({ signal })) appendFileSync(path, piece);
        else await file.save(path, { signal });
      });
    }
    showWarnings(warnings, console);
    if (outPath !== null) console.print(`${formatAmount(rowCount ?? 0, "row")} scored: ${outPath}`);
    return EXIT.done;
  }).finally(progress.finish);
}
