// The fields that say how single columns are read: the kind, and the texts that mean "no value" (D112).
import { type Static, Type } from "@sinclair/typebox";
import { CHOSEN_KINDS, type ChosenKind, type ColumnChoice } from "../../engine/columns/choices.ts";
import { quotedName } from "../../engine/csv/header.ts";
import { ApiError, type FieldError } from "../http/problem.ts";
import { named, oneOf, orNull } from "../http/schemas.ts";
import { MOST_MISSING_VALUE_CHARACTERS, MOST_MISSING_VALUES, MOST_NAME_CHARACTERS } from "./table-settings.ts";

const MOST_CHOICES = 1_000;
const ABOUT = { "x-decision": "D112" };

const KIND = "Read the column as this kind, whatever its cells look like.";
const TEXTS =
  "Texts that mean a missing value in this column, beside those of the table; none are found by themselves then.";

const MissingTexts = (description: string) =>
  Type.Array(Type.String({ maxLength: MOST_MISSING_VALUE_CHARACTERS }), { maxItems: MOST_MISSING_VALUES, description });

const ChoiceFields = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: MOST_NAME_CHARACTERS, description: "Of a column, not of the label." }),
    kind: Type.Optional(orNull(oneOf(CHOSEN_KINDS, { description: `${KIND} Null for the one that its cells show.` }))),
    missingTexts: Type.Optional(
      orNull(MissingTexts(`${TEXTS} An empty list undoes what was found; null finds them again.`)),
    ),
  }),
  { maxItems: MOST_CHOICES },
);
named({ AskedColumnChoice: ChoiceFields.items });
type AskedChoices = Static<typeof ChoiceFields>;

/** Choices of a request; each column once. */
export const CHOICES = Type.Array(ChoiceFields.items, {
  maxItems: MOST_CHOICES,
  description: "How single columns are read; all others as their cells show.",
  ...ABOUT,
});

/** Choices of a request about a dataset, which has its own. */
export const OWN_CHOICES = Type.Array(ChoiceFields.items, {
  maxItems: MOST_CHOICES,
  description: "How single columns are read; all others as their cells show. Left out, it is as the dataset's are.",
  ...ABOUT,
});

/** Changes of a dataset's choices. */
export const CHANGED_CHOICES = orNull(
  Type.Array(ChoiceFields.items, {
    maxItems: MOST_CHOICES,
    description:
      "How single columns are read. Only what is named changes: " +
      "other columns stay as they were chosen, and null undoes. Null for the whole list undoes all.",
    ...ABOUT,
  }),
);

const ChosenColumn = Type.Object({
  name: Type.String(),
  kind: Type.Optional(oneOf(CHOSEN_KINDS, { description: "Left out where the cells decide." })),
  missingTexts: Type.Optional(MissingTexts("Left out where they are found.")),
});
named({ ColumnChoice: ChosenColumn });

/** The choices as answers have them. */
export const CHOICES_ANSWER = Type.Array(ChosenColumn, {
  description: "How single columns are read: what was chosen.",
});

/** Part of a column in answers. */
export const FOUND_KIND = Type.Optional(
  Type.String({ description: "The kind that its cells show by themselves; left out where none was chosen.", ...ABOUT }),
);

/** The choices as they are stored. @throws ApiError VALIDATION_FAILED where a column is named twice */
export function storedChoices(asked: AskedChoices): ColumnChoice[] {
  requireOnce(asked);
  return asked.flatMap(({ name, kind = null, missingTexts = null }) => choiceOf(name, kind, missingTexts));
}

/**
 * The stored choices with the changes that were asked for. @throws ApiError
 * VALIDATION_FAILED where a column is named twice
 */
export function changedChoices(stored: readonly ColumnChoice[], changes: AskedChoices | null): ColumnChoice[] {
  if (changes === null) return [];
  requireOnce(changes);
  const choices = new Map(stored.map((choice) => [choice.name, choice]));
  for (const { name, ...change } of changes) {
    const { kind = null, missingTexts = null } = { ...choices.get(name), ...change };
    const [changed] = choiceOf(name, kind, missingTexts);
    if (changed === undefined) choices.delete(name);
    else choices.set(name, changed);
  }
  return [...choices.values()];
}

/** Empty where nothing is chosen. */
function choiceOf(name: string, kind: ChosenKind | null, missingTexts: readonly string[] | null): ColumnChoice[] {
  const choice: ColumnChoice = { name };
  if (kind !== null) choice.kind = kind;
  if (missingTexts !== null)
    choice.missingTexts = [...new Set(missingTexts.map((text) => text.trim()))].filter(Boolean);
  return Object.keys(choice).length === 1 ? [] : [choice];
}

function requireOnce(asked: AskedChoices): void {
  const namedColumns = new Set<string>();
  const errors = asked.flatMap(({ name }, at): FieldError[] => {
    if (!namedColumns.has(name)) {
      namedColumns.add(name);
      return [];
    }
    const message = `Column ${quotedName(name)} is named twice: choose once for each column.`;
    return [{ field: `columnChoices.${at}.name`, code: "CHOSEN_TWICE", message }];
  });
  if (errors.length > 0) throw new ApiError("VALIDATION_FAILED", errors[0]!.message, { errors });
}
