// Which cell of a file a message may show. A number or date in another form is seen at once; words stay with the user,
// since they may be names or sentences that ended up in the wrong column.
import { quotedName } from "../csv/header.ts";

const LONGEST = 40;
/** A digit comes before any letter. */
const FIGURE = /^\P{L}*?\d/u;
/** Other letters than those of ASCII, or more in a row than units, months and AM or PM have. */
const WORD = /[^\P{L}A-Za-z]|[A-Za-z]{4}/u;

/** The text in quotation marks; null where it is not to be shown. */
export function shownCell(text: string): string | null {
  return text.length <= LONGEST && FIGURE.test(text) && !WORD.test(text) ? quotedName(text) : null;
}
