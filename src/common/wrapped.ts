// Breaks long lines between words, because a terminal breaks them inside one.

/** `Accuracy    98.6% …`: a name, then the text, whose further lines begin below its first. */
const NAMED = /^\S{1,11} {2,}(?=\S)/;
/** Lines to be copied as they stand: JSON, commands, settings of a service. */
const AS_IT_STANDS = /^(?:[{[]|\w+=|(?:Next +|\s*)cupel )/;

/** A stream that may be a terminal. */
interface Stream {
  isTTY?: boolean;
  columns?: number;
}

/** The text as it is written to the stream: wrapped to the width of a terminal, unchanged elsewhere. */
export function wrappedFor(stream: Stream, text: string): string {
  return stream.isTTY === true && stream.columns !== undefined ? wrapped(text, stream.columns) : text;
}

/** Words that are longer than a line stay whole. `columns`: the width of the terminal. */
export function wrapped(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => (Bun.stringWidth(line) <= columns || AS_IT_STANDS.test(line) ? line : wrappedLine(line, columns)))
    .join("\n");
}

function wrappedLine(line: string, columns: number): string {
  const name = NAMED.exec(line)?.[0] ?? /^ */.exec(line)![0];
  const indent = " ".repeat(name.length);
  const lines: string[] = [];
  let open = name;
  let isEmpty = true;
  for (const word of line.slice(name.length).split(" ")) {
    if (!isEmpty && Bun.stringWidth(`${open} ${word}`) > columns) {
      lines.push(open.trimEnd());
      open = indent + word;
    } else {
      open += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, open].join("\n");
}
