// `cupel inspect --server`: what a server understands of a table, which it forgets afterwards.
import { InputError } from "../../engine/input-error.ts";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import type { Console } from "../commands/console.ts";
import { type InspectOptions, isModel, type ShownTable, tableLines } from "../commands/inspect.ts";
import { refuseOwnInputs } from "../commands/own-inputs.ts";
import { EXIT } from "../common/exit-codes.ts";
import type { Remote } from "./connect.ts";
import { interruptibly } from "./interrupts.ts";
import { showRemote } from "./remote-progress.ts";
import { tableSettings } from "./remote-tables.ts";

/** @throws InputError, Cancelled, or what the client throws */
export async function remoteInspect(options: InspectOptions, remote: Remote, console: Console): Promise<number> {
  const { path, json } = options;
  refuseOwnInputs([path], ["-"]);
  if (isModel(path)) {
    throw new InputError(
      "MODEL_FILE",
      `${path} is a model, which needs no server to be looked at. Leave --server out.`,
    );
  }
  const { progress } = console;
  return interruptibly(console, async ({ signal }) => {
    const waiting = { onProgress: showRemote(progress, path), signal };
    const dataset = await remote.cupel.datasets.create(path, { ...tableSettings(options), ...waiting });
    let table: ShownTable;
    try {
      table = tableOf((await dataset.look({ signal })) as unknown as DatasetRecord);
    } finally {
      // Without the signal, which may be what ended it.
      await dataset.delete();
    }
    progress.finish();
    console.print(...(json ? [JSON.stringify(table)] : tableLines(table, `read by ${remote.url}`)));
    return EXIT.done;
  }).finally(progress.finish);
}

function tableOf({ columns, labelColumn, classes, rowCount, warnings }: DatasetRecord): ShownTable {
  const rows = rowCount ?? 0;
  return {
    rows,
    columns: columns.map(({ name, kind, missing, distinct, text, form, missingTexts }) => ({
      ...{ name, missing, distinct, isDistinctEstimated: false },
      kind: kind as ShownTable["columns"][number]["kind"],
      role: name === labelColumn ? "label" : "feature",
      ...(form !== undefined && { form }),
      ...(missingTexts !== undefined && { missingTexts }),
      ...(text !== undefined && { text: { ...text, shareEmpty: rows === 0 ? 0 : missing / rows } }),
    })),
    label: labelColumn ?? "",
    classes,
    rowsWithoutLabel: 0,
    warnings,
  };
}
