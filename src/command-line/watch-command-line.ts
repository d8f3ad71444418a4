// The command of a model at work: new rows, what was counted of them, and labels that came later.

import { watch } from "../commands/watch.ts";
import { watchCounts } from "../commands/watch-counts.ts";
import { watchLabels } from "../commands/watch-labels.ts";
import { SettingError } from "../common/setting-values.ts";
import { addHeaderOption, type CommandLine } from "./command-options.ts";
import { addServerOption, type ServerFlag, serverOf, WATCH_ELSEWHERE } from "./remote-command-line.ts";

interface WatchFlags extends ServerFlag {
  counts?: string;
  labels?: string;
  predicted?: string;
  label?: string;
  key?: string;
  header: boolean;
  json: boolean;
}

export function addWatch({ program, openConsole, done }: CommandLine): void {
  const command = program
    .command("watch")
    .description("compare a new file with the rows that a model was trained on: what has shifted, worst first")
    .argument(
      "<model.cupel>",
      "a model that `run` wrote; with --server, the key of a prediction that --labels belong to",
    )
    .argument("[new.csv]", "the new rows; where they have the label, decisions are judged by it too")
    .option("--counts <file>", "instead of new rows: what `predict --watch` counted, over time")
    .option(
      "--labels <file>",
      "all labels known so far, beside --predicted; " +
        "with --counts, they replace those told before of the same predicted file",
    )
    .option("--predicted <file>", "what `predict` wrote: rows of --labels in the same order, or found by --key")
    .option(
      "--label <column>",
      "the column of the labels; by default the one named as the model's label, or the only one",
    )
    .option("--key <column>", "a column of both files that names their rows")
    .option("--json", "print one JSON object", false);
  addServerOption(addHeaderOption(command)).action(
    async (modelPath: string, inputPath: string | undefined, flags: WatchFlags) => {
      const { counts: countsPath, labels: labelsPath, predicted: predictedPath, header: hasHeader, json } = flags;
      const { label: labelColumn = null, key: keyColumn = null } = flags;
      const server = serverOf(flags, command, WATCH_ELSEWHERE);
      if (server !== null) {
        if (labelsPath === undefined || inputPath !== undefined) {
          throw new SettingError(
            "watch --server takes the key of a prediction and --labels. " +
              "The model's Health page on the server tells of what comes in.",
          );
        }
        const { onServer, remoteLabels, requirePredictionKey } = await import("../remote/remote.ts");
        requirePredictionKey(modelPath);
        const options = { predictionKey: modelPath, labelsPath, labelColumn, keyColumn, hasHeader, json };
        const console = openConsole();
        return done(await onServer(server, console, (remote) => remoteLabels(options, remote, console)));
      }
      if (labelsPath !== undefined && predictedPath !== undefined && inputPath === undefined) {
        const files = { modelPath, labelsPath, predictedPath, countsPath: countsPath ?? null };
        return done(await watchLabels({ ...files, labelColumn, keyColumn, hasHeader, json }, openConsole()));
      }
      if ([labelsPath, predictedPath, flags.label, flags.key].some((flag) => flag !== undefined)) {
        throw new SettingError(
          "Labels that came later need --labels LATER.csv and --predicted RESULT.csv, " +
            "the file that predict wrote, and no <new.csv>; --label and --key go with them.",
        );
      }
      if ((inputPath === undefined) === (countsPath === undefined)) {
        throw new SettingError("watch takes either new rows, <new.csv>, or what was counted of them, --counts <file>.");
      }
      if (inputPath !== undefined) done(watch({ modelPath, inputPath, hasHeader, json }, openConsole()));
      else done(watchCounts({ modelPath, countsPath: countsPath!, json }, openConsole()));
    },
  );
}
