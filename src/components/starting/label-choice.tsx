// Choosing the label of a dataset: each choice is stored at once, and the file read again with it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { useAction } from "../../browser/action.ts";
import { changeAndRead } from "../../browser/forms/change-dataset.ts";
import type { Problem } from "../../browser/problem.ts";
import { SelectField } from "../field.tsx";
import { ErrorNote } from "../states.tsx";
import { Options } from "./column-field.tsx";

/** Errors of a dataset that choosing another label may solve; see `errorCode` of the API. */
const LABEL_FAULTS: ReadonlySet<string> = new Set([
  "LABEL_NOT_FOUND",
  "POSITIVE_LABEL_NOT_FOUND",
  "ONE_CLASS",
  "TOO_MANY_CLASSES",
]);

export function isLabelFault(errorCode: string | null): boolean {
  return errorCode !== null && LABEL_FAULTS.has(errorCode);
}

/** The choice of a label: what is shown as chosen, and whether the dataset is that. */
export interface LabelChoosing {
  /** Null where no column of the file is chosen. */
  shown: string | null;
  /** False from a choice until the dataset has been stored and read with it. */
  isSettled: boolean;
  problem: Problem | null;
  choose(column: string): void;
}

/**
 * Stores every choice at once, so that what is shown is what is trained. A choice that is made while an earlier one is
 * being read waits for it; the last one counts. After a refusal the stored label is shown again.
 */
export function useLabelChoice(dataset: DatasetRecord, reload: () => void): LabelChoosing {
  const { datasetKey, labelColumn } = dataset;
  const [wanted, setWanted] = useState<string | null>(null);
  const last = useRef<string | null>(null);
  const leaving = useRef(new AbortController());
  const apply = useAction(async () => {
    try {
      for (let stored = labelColumn; last.current !== null && last.current !== stored; ) {
        stored = last.current;
        await changeAndRead(datasetKey, { labelColumn: stored }, leaving.current.signal);
      }
    } finally {
      last.current = null;
      reload();
    }
  });
  useEffect(() => () => leaving.current.abort(), []);
  // After the choice was read, the server's answer counts, even if another page has chosen since.
  useEffect(() => {
    if (!apply.isRunning) setWanted(null);
  }, [dataset, apply.problem]);
  return {
    shown: wanted ?? labelColumn,
    isSettled: !apply.isRunning && (wanted === null || wanted === labelColumn),
    problem: apply.problem,
    choose: (column) => {
      last.current = column;
      setWanted(column);
      apply.run();
    },
  };
}

interface LabelChoiceProps {
  /** Names in the order of the file. */
  columns: readonly string[];
  choosing: LabelChoosing;
}

export function LabelChoice({ columns, choosing: { shown, problem, choose } }: LabelChoiceProps) {
  // The label asked for may not be a column of the file.
  const chosen = shown !== null && columns.includes(shown) ? shown : "";
  return (
    <div class="form label-choice">
      <SelectField
        label="Column to predict"
        help="The label: the answer that each row has, such as yes or no."
        value={chosen}
        onValue={choose}
      >
        {chosen === "" && (
          <option value="" disabled>
            Choose a column
          </option>
        )}
        <Options names={columns} />
      </SelectField>
      {problem !== null && <ErrorNote problem={problem} />}
    </div>
  );
}
