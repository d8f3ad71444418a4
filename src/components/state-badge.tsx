// The state of a job or file as a word with a colour and a shape, so that colour is never alone.

import { type Tone, wordsOf } from "../words/state-words.ts";

/** Drawn in a square of 12. */
const MARKS: Readonly<Record<Tone, string>> = {
  pending: "M6 2.2a3.8 3.8 0 1 0 .01 0Z",
  running: "M2.5 1.8v8.4L10 6Z",
  done: "M2 6.4l2.8 2.8L10 3.4",
  early: "M2.6 2.6h6.8v6.8H2.6Z",
  failed: "M2.6 2.6l6.8 6.8M9.4 2.6l-6.8 6.8",
};

export function StateBadge({ state }: { state: string }) {
  const { tone, word } = wordsOf(state);
  return <Badge tone={tone} word={word} />;
}

export function Badge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span class={`badge ${tone}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={MARKS[tone]} />
      </svg>
      {word}
    </span>
  );
}
