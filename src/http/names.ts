// Names that users give: trimmed, not empty, and unique per kind and user (D28).
import { characterCount } from "./fields.ts";
import { ApiError, wrongField } from "./problem.ts";

/**
 * The name as it is stored.
 *
 * @throws ApiError VALIDATION_FAILED if it has fewer characters without the blanks around it
 */
export function trimmedName(name: string, leastCharacters: number): string {
  const trimmed = name.trim();
  if (characterCount(trimmed) >= leastCharacters) return trimmed;
  const unit = leastCharacters === 1 ? "character" : "characters";
  const message = `"name" must have at least ${leastCharacters} ${unit} without the blanks around it.`;
  throw wrongField("name", "WRONG_LENGTH", message);
}

/**
 * A text without the blanks around it.
 *
 * @throws ApiError VALIDATION_FAILED if nothing is left
 */
export function trimmedText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== "") return trimmed;
  throw wrongField(field, "WRONG_LENGTH", `"${field}" must have a character that is no blank; null removes it.`);
}

/** `what` as it follows "another": "dataset". */
export function nameTaken(what: string, name: string): ApiError {
  return new ApiError("NAME_TAKEN", `You have another ${what} named "${name}".`, {
    errors: [{ field: "name", code: "TAKEN", message: `"${name}" is taken.` }],
  });
}
