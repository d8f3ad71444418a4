// Differences between two texts that look the same: how accents are composed, odd blanks, characters without a width.

/** Blanks other than the space, and characters that only steer how text is set. */
const UNSEEN = /[^\S ]|\p{Cf}/gu;

const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  "\t": "a tab",
  "\n": "a line break",
  "\u00a0": "a no-break space",
  "\u00ad": "a soft hyphen",
  "\u200b": "a zero-width space",
  "\u202f": "a narrow no-break space",
  "\ufeff": "a byte order mark",
};

/** The text as it looks: two texts that look the same are equal. */
export function asSeen(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s/g, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
}

/** How `other` differs from a text that looks the same, such as "with a tab (U+0009)"; null where they look apart. */
export function unseenDifference(text: string, other: string): string | null {
  if (text === other || asSeen(text) !== asSeen(other)) return null;
  if (text.normalize("NFC") === other.normalize("NFC")) {
    return other === other.normalize("NFC")
      ? "with each accented letter as one character"
      : "with accents as characters of their own, as a Mac writes them";
  }
  const added = firstUnseen(other, text);
  const removed = firstUnseen(text, other);
  if (added !== undefined) return `with ${characterWords(added)}`;
  return removed === undefined ? "with other characters that cannot be seen" : `without ${characterWords(removed)}`;
}

function firstUnseen(text: string, other: string): string | undefined {
  return text.match(UNSEEN)?.find((character) => !other.includes(character));
}

function characterWords(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  return `${CHARACTER_NAMES[character] ?? "a character that cannot be seen"} (U+${code})`;
}
