// Shows markup of the report on a screen; the same functions draw both.
import type { Markup } from "../charts/markup.ts";

/** Safe: only the `html` tag makes a Markup, it escapes every text, and the page's policy refuses inline scripts. */
export function Drawing({ markup: { markup } }: { markup: Markup }) {
  return <div class="drawing" dangerouslySetInnerHTML={{ __html: markup }} />;
}
