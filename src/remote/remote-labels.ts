// `cupel watch --labels --server`: labels that came later, for a prediction that the server keeps.
import type { OutcomeColumns } from "../../engine/watch/outcomes.ts";
import type { Console } from "../commands/console.ts";
import { outcomeLines } from "../commands/watch-labels.ts";
import { EXIT } from "../exit-codes.ts";
import { printable } from "../printable.ts";
import type { Remote } from "./connect.ts";
import { interruptibly } from "./interrupts.ts";
import { showRemote } from "./remote-progress.ts";

export interface RemoteLabelsOptions extends OutcomeColumns {
  predictionKey: string;
  labelsPath: string;
  hasHeader: boolean;
  json: boolean;
}

/** Exit code 5 where the version is worse than promised. @throws InputError, Cancelled, or what the client throws */
export async function remoteLabels(
  { predictionKey, labelsPath, labelColumn, keyColumn, hasHeader, json }: RemoteLabelsOptions,
  remote: Remote,
  console: Console,
): Promise<number> {
  const { progress } = console;
  return interruptibly(console, async ({ signal }) => {
    const prediction = await remote.cupel.predictions.get(predictionKey, { signal });
    const columns = { labelColumn: labelColumn ?? undefined, keyColumn: keyColumn ?? undefined };
    const onProgress = showRemote(progress, labelsPath);
    const told = await prediction.outcomes.add(labelsPath, { ...columns, hasHeader, onProgress, signal });
    progress.finish();
    const { labels, ofVersion } = told;
    if (json) console.print(JSON.stringify(told));
    else for (const line of outcomeLines({ ...ofVersion, counts: ofVersion, labels })) console.print(printable(line));
    return ofVersion.state === "WORSE_THAN_PROMISED" ? EXIT.shifted : EXIT.done;
  }).finally(progress.finish);
}
