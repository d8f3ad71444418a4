// Shows markup of the report on a screen; the same functions draw both.
import type { Markup } from "../common/markup.ts";
import { Section } from "./page.tsx";

/** Safe: only the `html` tag makes a Markup, it escapes every text, and the page's policy refuses inline scripts. */
export function Drawing({ markup: { markup } }: { markup: Markup }) {
  return <div class="drawing" dangerouslySetInnerHTML={{ __html: markup }} />;
}

/** A part of a screen that is one drawing. */
export function DrawnSection({ title, markup }: { title: string; markup: Markup }) {
  return (
    <Section title={title}>
      <Drawing markup={markup} />
    </Section>
  );
}
