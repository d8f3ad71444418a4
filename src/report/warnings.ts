// Warnings: things worth knowing that stopped nothing, with the place in the file where there is one.
import type { Warning } from "../../engine/warning.ts";
import type { Content, Markup } from "../charts/markup.ts";
import { html, name, plainName } from "../charts/markup.ts";
import { formatAmount, formatCount } from "../format.ts";

/** Warnings listed; the rest is in the JSON file. */
const LISTED = 100;

/** The section, present also where there is nothing to warn of. What is not listed is in `jsonFile`. */
export function warningsSection(warnings: readonly Warning[], jsonFile: string): Markup {
  return html`<section id="warnings" aria-labelledby="warnings-title"><h2 id="warnings-title">Warnings</h2>
${warnings.length === 0 ? html`<p class="lead">None. Nothing in the file gave reason for doubt.</p>` : warningList(warnings, jsonFile)}</section>
`;
}

/** The warnings as a list. */
export function warningList(warnings: readonly Warning[], jsonFile: string): Markup {
  const beyond = warnings.length - LISTED;
  return html`<ul class="warnings">${warnings.slice(0, LISTED).map((warning) => html`<li>${plainName(warning.message, 600)}${placeOf(warning)}</li>`)}</ul>${beyond > 0 ? html`<p class="note">${formatAmount(beyond, "more warning")} in ${jsonFile}.</p>` : null}`;
}

function placeOf({ code, line, column, count }: Warning): Markup {
  const places: Content[] = [
    ...(column === undefined ? [] : [html`column ${name(column)}`]),
    ...(line === undefined ? [] : [`line ${formatCount(line)}`]),
    ...(count === undefined ? [] : [`${formatCount(count)} times`]),
    code,
  ];
  return html`<small>${places.map((place, i) => html`${i === 0 ? null : " · "}${place}`)}</small>`;
}
