// The effects that a version learned: a picture for each column, the most important first.
import { effectMark, effectName, effectPicture, effectRange, effectTable } from "../charts/effects.ts";
import { disclosure, figure, picture, section } from "../charts/pictures.ts";
import { formatAmount, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name } from "../common/markup.ts";
import type { ColumnEffects, RunSummary } from "../summary/summary.ts";

/** Columns whose pictures are shown at first. */
const FIRST = 6;

/** The champion's; null where runs of earlier versions have none. */
export function effectsSection({ versions }: RunSummary): Markup | null {
  const effects = versions.find(({ champion }) => champion)?.effects ?? [];
  return effects.length === 0 ? null : section("learned", "What the model learned", effectsOf(effects));
}

export function effectsOf(effects: readonly ColumnEffects[]): Markup {
  const range = effectRange(effects);
  const cards = effects.map((effect) => card(effect, range));
  const rest = effects.length - FIRST;
  const more =
    rest > 0
      ? disclosure(formatAmount(rest, "more column"), html`<div class="effects">${cards.slice(FIRST)}</div>`)
      : null;
  return html`<p class="lead">${probabilityOf(effects)} along each column, the most important one first. This is what the champion learned, not what would happen if the value were changed.</p>
<div class="effects">${cards.slice(0, FIRST)}</div>${more}
${disclosure("How to read these pictures", howToRead(effects))}`;
}

function probabilityOf(effects: readonly ColumnEffects[]): Content {
  const labels = new Set(effects.flatMap(({ curves }) => curves.map(({ label }) => label)));
  const [only] = labels;
  if (labels.size === 1) return html`How the probability of <em>${name(only!, 40)}</em> changes`;
  return "How the probabilities of the classes change";
}

function card(effect: ColumnEffects, range: ReturnType<typeof effectRange>): Markup {
  return html`<article class="effect"><h3>${name(effectName(effect), 60)}</h3>${figure(
    picture(effectPicture(effect, range)),
    html`${legend(effect)}${together(effect)}`,
    effectTable(effect),
  )}</article>`;
}

/** With two classes one curve is shown, and named above. */
function legend({ curves }: ColumnEffects): Markup | null {
  if (curves.length < 2) return null;
  const key = (place: number) =>
    html`<svg class="icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${effectMark(place, 6, 6)}</svg>`;
  return html`<span class="effect-key">${curves.map(({ label }, place) => html`<span>${key(place)} ${name(label, 24)}</span> `)}</span>`;
}

function together({ method, closest }: ColumnEffects): Markup | null {
  if (method === "partial dependence" || closest === null) return null;
  return html`<span><em>${name(closest.name, 40)}</em> tells ${formatPercent(closest.association)} of it, so only rows near each value are compared.</span>`;
}

function howToRead(effects: readonly ColumnEffects[]): Markup {
  const isLocal = effects.some(({ method }) => method === "accumulated local effects");
  return html`<p class="lead">Partial dependence: at each value, the mean probability of a sample of the rows if all had this value. Values of a number are a step apart that holds about as many rows each, and bars show the rows of each step; of a category the most frequent values are shown. All pictures have the same scale.</p>
${
  isLocal
    ? html`<p class="lead">Where another column tells much of this one, many of such rows could not occur. From 12% on (of which of five groups a value is in, Goodman and Kruskal’s tau; a correlation of 0.7 tells as much), the changes between neighbouring values are summed up instead, each over the rows that lie there: accumulated local effects. Rows with missing cells take no part.</p>`
    : null
}`;
}
