// Changing how a dataset is read: each change is stored at once, and the file read again with it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ColumnChoice } from "../../engine/columns/choices.ts";
import type { ChangedDataset } from "../api/datasets/change-dataset.ts";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { announce } from "../components/announcements.tsx";
import { changeAndRead } from "./change-dataset.ts";
import { asProblem, type Problem } from "./problem.ts";

/** How a dataset is read, as the page shows it. */
export interface Choices
  extends Pick<DatasetRecord, "groupColumn" | "timeColumn" | "keepKeyColumns" | "withoutColumns" | "missingValues"> {
  columnChoices: readonly ColumnChoice[];
}

/** Changes without the label's; a list of choices changes those columns alone. */
export type Changes = Omit<ChangedDataset, "labelColumn" | "positiveLabel" | "columnChoices"> & {
  columnChoices?: NonNullable<ChangedDataset["columnChoices"]>;
};

export interface Choosing {
  /** What the server has, with the changes that are on their way. */
  shown: Choices;
  /** True from a change until the file has been read with it. */
  isReading: boolean;
  /** Of the last change; null once another is on its way. */
  problem: Problem | null;
  /** `words`: what is announced once it is done. */
  change(changes: Changes, words: string): void;
}

/** Changes that are made while an earlier one is being read go together. After a refusal the stored choices are shown again. */
export function useChoosing(dataset: DatasetRecord, reload: () => void): Choosing {
  const [wanted, setWanted] = useState<Changes>({});
  const [state, setState] = useState<Pick<Choosing, "isReading" | "problem">>({ isReading: false, problem: null });
  const pending = useRef<{ changes: Changes; words: string } | null>(null);
  const isBusy = useRef(false);
  const leaving = useRef(new AbortController());
  const work = async () => {
    isBusy.current = true;
    setState({ isReading: true, problem: null });
    let problem: Problem | null = null;
    try {
      while (pending.current !== null) {
        const { changes, words } = pending.current;
        pending.current = null;
        const status = await changeAndRead(dataset.datasetKey, changes, leaving.current.signal);
        announce(status === "COMPLETED" ? words : "The table cannot be read like that.");
      }
    } catch (error) {
      problem = asProblem(error);
    }
    pending.current = null;
    isBusy.current = false;
    if (leaving.current.signal.aborted) return;
    setState({ isReading: false, problem });
    reload();
  };
  useEffect(() => () => leaving.current.abort(), []);
  useEffect(() => {
    if (!isBusy.current) setWanted({});
  }, [dataset]);
  return {
    ...state,
    shown: changed(dataset, wanted),
    change: (changes, words) => {
      pending.current = { changes: merged(pending.current?.changes ?? {}, changes), words };
      setWanted((before) => merged(before, changes));
      if (!isBusy.current) void work();
    },
  };
}

/** The changes of both; of the same thing the later one. */
export function merged(before: Changes, after: Changes): Changes {
  if (before.columnChoices === undefined || after.columnChoices === undefined) return { ...before, ...after };
  const choices = new Map(before.columnChoices.map((choice) => [choice.name, choice]));
  for (const choice of after.columnChoices) choices.set(choice.name, { ...choices.get(choice.name), ...choice });
  return { ...before, ...after, columnChoices: [...choices.values()] };
}

/** The choices as they will be. */
export function changed(stored: Choices, changes: Changes): Choices {
  const choices = new Map(stored.columnChoices.map((choice) => [choice.name, choice]));
  for (const { name, ...change } of changes.columnChoices ?? []) {
    const { kind = null, missingTexts = null } = { ...choices.get(name), ...change };
    choices.set(name, { name, ...(kind !== null && { kind }), ...(missingTexts !== null && { missingTexts }) });
  }
  const { groupColumn = stored.groupColumn, timeColumn = stored.timeColumn } = changes;
  const { missingValues = stored.missingValues, withoutColumns = stored.withoutColumns } = changes;
  const { keepKeyColumns = stored.keepKeyColumns } = changes;
  return {
    ...{ groupColumn, timeColumn, missingValues },
    keepKeyColumns: keepKeyColumns ?? false,
    withoutColumns: withoutColumns ?? [],
    columnChoices: [...choices.values()],
  };
}

/** What was chosen for a column; a choice of nothing where nothing was. */
export function choiceOf({ columnChoices }: Choices, name: string): ColumnChoice {
  return columnChoices.find((choice) => choice.name === name) ?? { name };
}
