// The cells of a column's row in which is chosen how it is read: its kind, its
// texts that mean "no value", whether it is used.
import { CHOSEN_KINDS } from "../../../engine/columns/choices.ts";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { choiceOf } from "../../browser/forms/choices.ts";
import { Choice } from "../field.tsx";
import type { Choosing } from "./choosing.ts";
import { TextList } from "./text-list.tsx";

type Column = Pick<DatasetRecord["columns"][number], "name" | "foundKind" | "missingTexts"> & {
  /** Null where the file could not be read. */
  kind: string | null;
};

interface CellProps {
  column: Column;
  choosing: Choosing;
}

export function KindCell({ column: { name, kind, foundKind }, choosing: { shown, change } }: CellProps) {
  const chosenKind = choiceOf(shown, name).kind ?? "";
  const kindFound = foundKind ?? (choiceOf(shown, name).kind === undefined ? kind : null);
  return (
    <select
      class="kind"
      aria-label={`Kind of ${name}`}
      value={chosenKind}
      onChange={({ currentTarget: { value } }) => {
        const wanted = CHOSEN_KINDS.find((each) => each === value) ?? null;
        const words = wanted === null ? `${name} is read as its cells show.` : `${name} is read as ${wanted}.`;
        change({ columnChoices: [{ name, kind: wanted }] }, words);
      }}
    >
      <option value="">{kindFound === null ? "as found" : `as found: ${kindFound}`}</option>
      {CHOSEN_KINDS.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

export function MissingTextsCell({ column: { name, missingTexts = [] }, choosing: { shown, change } }: CellProps) {
  const chosenTexts = choiceOf(shown, name).missingTexts;
  return (
    <div class="stack">
      <TextList
        label={`Texts of ${name} that mean no value`}
        addLabel={`A text of ${name} that means no value`}
        add="Name a text"
        about={` in ${name}`}
        texts={chosenTexts ?? missingTexts}
        onTexts={(texts) =>
          change(
            { columnChoices: [{ name, missingTexts: texts }] },
            `The texts of ${name} that mean no value were stored.`,
          )
        }
      />
      {chosenTexts !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() =>
            change(
              { columnChoices: [{ name, missingTexts: null }] },
              `Texts of ${name} that mean no value are found again.`,
            )
          }
        >
          <span>
            As found<span class="unseen"> for the texts of {name}</span>
          </span>
        </button>
      )}
    </div>
  );
}

export function UseCell({ column: { name }, choosing: { shown, change } }: CellProps) {
  const { withoutColumns } = shown;
  return (
    <Choice
      checked={withoutColumns.includes(name)}
      onChange={(isLeftOut) => {
        const others = withoutColumns.filter((each) => each !== name);
        const words = isLeftOut ? `${name} is left out.` : `${name} is used again.`;
        change({ withoutColumns: isLeftOut ? [...others, name] : others }, words);
      }}
    >
      Leave out<span class="unseen"> {name}</span>
    </Choice>
  );
}
