// Short messages about what was done: shown for some seconds, and read out by screen readers.
import { signal } from "@preact/signals";

interface News {
  id: number;
  text: string;
}

const SHOWN_MS = 6_000;
const news = signal<readonly News[]>([]);
let count = 0;

/** `announce("The dataset was deleted.")` */
export function announce(text: string): void {
  const id = ++count;
  news.value = [...news.value, { id, text }];
  setTimeout(() => {
    news.value = news.value.filter((known) => known.id !== id);
  }, SHOWN_MS);
}

/** Shows the messages; the shell holds one. */
export function Announcements() {
  return (
    <div class="announcements" role="status" aria-live="polite">
      {news.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
