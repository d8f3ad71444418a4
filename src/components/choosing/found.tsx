// Shows what Cupel decided about columns by itself, and its doubts: each with the button that undoes or answers it.
import type { ComponentChildren } from "preact";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { type Changes, choiceOf } from "../../browser/forms/choices.ts";
import { formatAmount } from "../../common/format.ts";
import { remediesOf } from "../../verdict/remedies.ts";
import { Section } from "../page.tsx";
import type { Choosing } from "./choosing.ts";

/** Further ones stand in their columns' rows. */
const MOST_LISTED = 12;

interface Finding {
  about: string;
  text: ComponentChildren;
  buttons: { word: string; name: string; changes: Changes; words: string }[];
}

/** Nothing where there is nothing to undo. */
export function Found({ dataset, choosing: { shown, change } }: { dataset: DatasetRecord; choosing: Choosing }) {
  const findings = [
    ...dataset.doubts.map((doubt) => doubted(doubt, shown)),
    ...dataset.columns.flatMap((column) => takenAsMissing(column, shown)),
    ...dataset.columns.flatMap((column) => notUsed(column, dataset.labelColumn)),
  ];
  if (findings.length === 0) return null;
  const beyond = findings.length - MOST_LISTED;
  return (
    <Section title="What Cupel found by itself">
      <ul class="found">
        {findings.slice(0, MOST_LISTED).map(({ about, text, buttons }) => (
          <li key={about}>
            <span>{text}</span>
            {buttons.map(({ word, name, changes, words }) => (
              <button key={word} type="button" class="small" onClick={() => change(changes, words)}>
                <span>
                  {word}
                  <span class="unseen">{name}</span>
                </span>
              </button>
            ))}
          </li>
        ))}
      </ul>
      {beyond > 0 && <p class="note">{formatAmount(beyond, "more column")} below, each with its choice.</p>}
    </Section>
  );
}

function doubted(
  { code, message, remedy, columns }: DatasetRecord["doubts"][number],
  shown: Choosing["shown"],
): Finding {
  const buttons = remediesOf({ code, columns }).flatMap(({ words: word, changes }) => {
    if (changes === null) return [];
    const { groupColumn, timeColumn, withoutColumns } = changes;
    const wanted: Changes = {
      ...(groupColumn !== undefined && { groupColumn }),
      ...(timeColumn !== undefined && { timeColumn }),
      ...(withoutColumns !== undefined && {
        withoutColumns: [...new Set([...shown.withoutColumns, ...withoutColumns])],
      }),
    };
    return [{ word, name: "", changes: wanted, words: `Stored for the next training: ${word}.` }];
  });
  return { about: `${code} ${columns.join()}`, text: `${message} ${remedy}`, buttons };
}

function takenAsMissing(
  { name, missingTexts = [] }: DatasetRecord["columns"][number],
  shown: Choosing["shown"],
): Finding[] {
  if (missingTexts.length === 0 || choiceOf(shown, name).missingTexts !== undefined) return [];
  const texts = missingTexts.map((text) => `“${text}”`).join(", ");
  const changes = { columnChoices: [{ name, missingTexts: [] }] };
  const words = `All texts of ${name} are values.`;
  const counts = missingTexts.length === 1 ? "counts" : "count";
  return [
    {
      about: `missing ${name}`,
      text: (
        <>
          In <bdi>{name}</bdi>, {texts} {counts} as missing.
        </>
      ),
      buttons: [{ word: "Undo", name: ` in ${name}`, changes, words }],
    },
  ];
}

function notUsed({ name, kind }: DatasetRecord["columns"][number], label: string | null): Finding[] {
  if (kind !== "identifier" || name === label) return [];
  const changes = { columnChoices: [{ name, kind: "category" as const }] };
  return [
    {
      about: `identifier ${name}`,
      text: (
        <>
          <bdi>{name}</bdi> looks like an identifier, so nothing is learned from its values as a whole.
        </>
      ),
      buttons: [{ word: "Use it as a category", name: ` for ${name}`, changes, words: `${name} is read as category.` }],
    },
  ];
}
