// Names and texts of a file as words of a command line.

/** In double quotes where these do: Windows has no others. */
export function shellWord(text: string): string {
  if (/^[\w.-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
