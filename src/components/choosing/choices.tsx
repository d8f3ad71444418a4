// How a dataset is read, to be looked at and changed before anything is trained: first rows, columns, group and time.
import { useRef } from "preact/hooks";
import { DEFAULT_MISSING_MARKERS } from "../../../engine/columns/reading.ts";
import type { Preview } from "../../api/datasets/dataset-preview.ts";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { ColumnsTable } from "../columns-table.tsx";
import { featuresOf } from "../dataset-profile.tsx";
import { FirstRows } from "../first-rows.tsx";
import { Section } from "../page.tsx";
import { Progress } from "../progress.tsx";
import { RelatedRows } from "../starting/related-rows.tsx";
import { ErrorNote } from "../states.tsx";
import { type Choosing, useChoosing } from "./choosing.ts";
import { Found } from "./found.tsx";
import { TextList } from "./text-list.tsx";

interface ChoicesProps {
  /** COMPLETED or FAILED, from a file that was uploaded. */
  dataset: DatasetRecord;
  opening: Preview;
  reload(): void;
}

/** Stays in its place while the file is read again, so that the keyboard does not lose it. */
export function DatasetChoices({ dataset, opening, reload }: ChoicesProps) {
  const choosing = useChoosing(dataset, reload);
  const { shown, isReading, problem, change } = choosing;
  const knownFacts = useKnown(dataset, opening);
  return (
    <>
      {isReading && <Progress label="Reading the table again" share={null} />}
      {problem !== null && <ErrorNote problem={problem} />}
      <FirstRows title="First rows" opening={opening} />
      <Found dataset={dataset} choosing={choosing} />
      <Section title="Columns">
        <p class="note">
          A choice is stored at once and holds for every refinement and training of this dataset from then on.
        </p>
        <TableTexts choosing={choosing} />
        <ColumnsTable dataset={{ ...dataset, ...knownFacts }} choosing={choosing} />
      </Section>
      <Section title="Group and time">
        <RelatedRows
          related={shown}
          onChange={(part) => change(part, "Stored for the next training.")}
          columns={{ names: featuresOf({ columns: knownFacts.columns, labelColumn: dataset.labelColumn }) }}
          errorOf={(field) => problem?.errorOf(field)}
          isOpen
        />
      </Section>
    </>
  );
}

type KnownColumns = Pick<DatasetRecord, "columns" | "classes">;

/** A dataset that failed does not know its columns: then what was known before, or the names alone. */
function useKnown({ columns, classes }: KnownColumns, opening: Preview): KnownColumns {
  const known = useRef<KnownColumns | null>(null);
  if (columns.length > 0) known.current = { columns, classes };
  if (known.current !== null) return known.current;
  return {
    columns: opening.columns.map((name) => ({ name, kind: "", missing: 0, distinct: 0, warning: null })),
    classes,
  };
}

function TableTexts({ choosing: { shown, change } }: { choosing: Choosing }) {
  const { missingValues } = shown;
  const label = "Texts that mean no value in every column";
  return (
    <details class="related">
      <summary>{label}</summary>
      <p class="help">An empty cell always means that there is no value.</p>
      <TextList
        label={label}
        addLabel="A text that means no value in every column"
        add="Name a text"
        about=" in every column"
        texts={missingValues ?? DEFAULT_MISSING_MARKERS}
        onTexts={(texts) => change({ missingValues: texts }, "The texts that mean no value were stored.")}
      />
      {missingValues !== null && (
        <button
          type="button"
          class="link"
          onClick={() => change({ missingValues: null }, "The usual texts mean no value again.")}
        >
          The usual texts
        </button>
      )}
    </details>
  );
}
