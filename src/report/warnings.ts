// Warnings: what a user should know although it stopped nothing, with its place in the file if it has one.
import type { Warning } from "../../engine/warning.ts";
import { section } from "../charts/pictures.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";

/** Warnings listed; the rest is in the JSON file. */
const LISTED = 100;

/**
 * The section on warnings, also without any. `jsonFile` holds those beyond
 * the list. `besides`: what is doubted already.
 */
export function warningsSection(warnings: readonly Warning[], jsonFile: string, besides = ""): Markup {
  const none = html`<p class="lead">None${besides}.</p>`;
  return section("warnings", "Warnings", warnings.length === 0 ? none : warningList(warnings, jsonFile));
}

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
