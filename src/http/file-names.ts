// Names of files that clients sent: kept for showing, given back with a download, never a path of ours.
import { wrongField } from "./problem.ts";

const MOST_STEM_CHARACTERS = 200;
/** C0 and C1, and the separators of lines. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/**
 * The name of a sent file without its folders; null for none.
 *
 * @param field the name of the form's part
 * @throws ApiError VALIDATION_FAILED for a name with control characters
 */
export function sentFileName(sent: string, field: string): string | null {
  if (CONTROL.test(sent)) {
    const message = `The file name of "${field}" has control characters; send a name in one line.`;
    throw wrongField(field, "WRONG_FORMAT", message);
  }
  const name = sent.toWellFormed().split(/[/\\]/).at(-1)!.trim();
  return name === "" || name === "." || name === ".." ? null : name;
}

/** The name of a prediction's result: that of the file that was sent, else the key. */
export function resultFileName({ fileName, key }: { fileName: string | null; key: string }): string {
  const stem =
    fileName
      ?.replace(/\.(?:csv|tsv|txt)$/i, "")
      .slice(0, MOST_STEM_CHARACTERS)
      .toWellFormed() ?? "";
  return stem === "" ? `prediction-${key}.csv` : `${stem}-predicted.csv`;
}

/**
 * The header `Content-Disposition` of a download (RFC 6266). Names of other characters than ASCII's letters, digits,
 * blanks, dots, hyphens and underscores are sent encoded (RFC 8187), after a plain one for old clients.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .-]/g, "_");
  if (plain === fileName) return `attachment; filename="${plain}"`;
  // encodeURIComponent leaves four characters that the header's grammar does not allow.
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
