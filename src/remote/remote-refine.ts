// `cupel refine --server`: the server refines; files, report and last lines are those of a local refinement.
import type { Console } from "../commands/console.ts";
import { refuseResults } from "../commands/own-inputs.ts";
import {
  exitCodeOf,
  publishAccount,
  REDUCED,
  type RefineCommandOptions,
  refuseModelFolder,
} from "../commands/refine.ts";
import { refineClosingLines } from "../commands/refine-closing-lines.ts";
import { renderRefinementReport } from "../report/refinement/refinement-report.ts";
import { ACCOUNT, openResultFolder, REPORT } from "../training/result-folder.ts";
import type { Remote } from "./connect.ts";
import { type Interrupts, interruptibly } from "./interrupts.ts";
import { showRemote } from "./remote-progress.ts";
import { endOfRefinement } from "./remote-refinement.ts";
import { tableSettings } from "./remote-tables.ts";

/** @throws InputError, Cancelled, or what the client throws */
export async function remoteRefine(options: RefineCommandOptions, remote: Remote, console: Console): Promise<number> {
  const { trainPath, testPath, outFolder } = options;
  refuseResults([trainPath, testPath], outFolder, [ACCOUNT, REPORT, ...Object.values(REDUCED)]);
  refuseModelFolder(outFolder);
  return interruptibly(console, async (interrupts) => {
    const summary = await refineOn(options, remote, console, interrupts).finally(console.progress.finish);
    const lines = refineClosingLines(summary, outFolder);
    console.print(...(options.json ? [JSON.stringify(summary)] : lines));
    return exitCodeOf(summary);
  });
}

async function refineOn(options: RefineCommandOptions, remote: Remote, console: Console, interrupts: Interrupts) {
  const { trainPath, testPath, outFolder, numberOfBuckets, removeLeaks } = options;
  const { progress } = console;
  const waiting = { onProgress: showRemote(progress, trainPath), signal: interrupts.signal };
  const settings = { ...tableSettings(options), numberOfBuckets: numberOfBuckets as 4 | 10 | 20, removeLeaks };
  const refinement = await remote.cupel.refinements.startOn(trainPath, testPath, { ...settings, ...waiting });
  const outcome = await endOfRefinement(refinement, remote, {
    interrupts,
    waiting,
    asked: { trainPath, testPath, numberOfBuckets },
  });
  if ("failure" in outcome) throw outcome.failure;
  for (const { message } of outcome.summary.warnings) progress.note(`warning: ${message}`);
  const folder = await openResultFolder(outFolder);
  try {
    const { signal } = interrupts;
    const files: { kind: "TRAIN" | "TEST"; file: string; sizeBytes: number }[] = [];
    for (const kind of outcome.kinds) {
      const file = REDUCED[kind];
      const sizeBytes = await folder.place(file, async (path) => {
        await refinement.file(kind).save(path, { signal });
        return Bun.file(path).size;
      });
      files.push({ kind, file, sizeBytes });
    }
    const summary = { ...outcome.summary, files };
    await publishAccount(folder, summary, renderRefinementReport(summary, outcome.columns, outcome.classes), progress);
    return summary;
  } finally {
    await folder.discard();
  }
}
