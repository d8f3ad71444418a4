// The report's pictures on a screen: finished markup, drawn by the same functions that draw the report.
import type { Markup } from "../charts/markup.ts";

/** Only the `html` tag of the report makes a Markup: it escapes every text put into it, and the page runs no inline script. */
export function Drawing({ markup: { markup } }: { markup: Markup }) {
  return <div class="drawing" dangerouslySetInnerHTML={{ __html: markup }} />;
}
