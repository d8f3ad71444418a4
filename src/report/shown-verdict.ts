// The verdict as the report and the dashboard show it: a word beside the
// question, then each doubt with what to do about it.
import type { DoubtRecord, VerdictRecord } from "../../data/database/records.ts";
import { type Content, html, type Markup, plainName } from "../common/markup.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { quietWords, unfinishedWords, verdictWord } from "../words/verdict-words.ts";

const LONGEST_MESSAGE = 600;

/** `isAlarming`: rows or labels that came later speak against the model, so that it gets no praise. */
export function verdictChip(verdict: VerdictRecord, isAlarming = false): Content {
  const { word, tone } = verdictWord(verdict);
  if (isAlarming && tone === "done") return null;
  return html`<span class="chip ${tone}">${word}</span>`;
}

/**
 * The doubts, worst first, and whether the look was finished; where there is no doubt, what was looked at. `wayOf`
 * shows how a remedy is taken.
 */
export function doubtList(verdict: VerdictRecord, wayOf: (doubt: DoubtRecord) => Content): Markup {
  const { doubts } = verdict;
  if (doubts.length === 0) return html`<p class="quiet-words">${quietWords(verdict)}</p>`;
  const unfinished = unfinishedWords(verdict);
  const below = unfinished === null ? null : html`<p class="quiet-words">${unfinished}</p>`;
  return html`<ul class="doubts">${doubts.map((doubt) => html`<li class="${doubt.level}">${levelChip(doubt)}<p class="message">${plainName(withReadersNumbers(doubt.message), LONGEST_MESSAGE)}</p><p>${plainName(withReadersNumbers(doubt.remedy), LONGEST_MESSAGE)}</p>${wayOf(doubt)}</li>`)}</ul>${below}`;
}

function levelChip({ level }: DoubtRecord): Markup {
  return level === "serious"
    ? html`<span class="chip failed">Serious</span>`
    : html`<span class="chip early">Caution</span>`;
}
