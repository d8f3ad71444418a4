// `cupel watch --labels --server`: labels that came later, for a prediction that the server keeps.
import { basename } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import type { OutcomeColumns } from "../../engine/outcomes/outcomes.ts";
import type { Console } from "../commands/console.ts";
import { outcomeLines } from "../commands/told-labels.ts";
import { EXIT } from "../common/exit-codes.ts";
import { formatAmount } from "../common/format.ts";
import { isKey, type Remote } from "./connect.ts";
import { interruptibly } from "./interrupts.ts";
import { showRemote } from "./remote-progress.ts";

export interface RemoteLabelsOptions extends OutcomeColumns {
  predictionKey: string;
  labelsPath: string;
  hasHeader: boolean;
  json: boolean;
}

/** How the labels of a file that was scored are told later. */
export function laterLabels(predictionKey: string, url: string, file: string): string {
  return (
    `once the labels of ${basename(file)} are known: ` +
    `cupel watch ${predictionKey} --labels LATER.csv --server ${url}`
  );
}

/** @throws InputError, before anything is sent */
export function requirePredictionKey(text: string): void {
  if (isKey(text)) return;
  throw new InputError("NO_PREDICTION_KEY", `${text} is no key of a prediction; predict --server says it.`);
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
    const { outcomes: before } = await prediction.outcomes.get({ signal });
    const columns = { labelColumn: labelColumn ?? undefined, keyColumn: keyColumn ?? undefined };
    const onProgress = showRemote(progress, labelsPath);
    const outcomes = await prediction.outcomes.add(labelsPath, { ...columns, hasHeader, onProgress, signal });
    if (before !== null) {
      const replaced = formatAmount(before.rowCount, "label");
      progress.note(`warning: ${replaced} sent earlier are replaced: always send all labels that are known so far.`);
    }
    progress.finish();
    const { labels, ofVersion } = outcomes;
    if (json) console.print(JSON.stringify(outcomes));
    else console.print(...outcomeLines({ ...ofVersion, counts: ofVersion, labels }));
    return ofVersion.state === "WORSE_THAN_PROMISED" ? EXIT.shifted : EXIT.done;
  }).finally(progress.finish);
}
