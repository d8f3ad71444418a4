// Measures how much a fast model of words loses where texts that share their words are held out together.
import { countRowsByCode } from "../fitting/class-counts.ts";
import { mapped } from "../mapped.ts";
import { deriveSeed } from "../random.ts";
import { rowsUpTo } from "../row-lists.ts";
import { simpsonIndex } from "../statistics/simpson-index.ts";
import { selectTableRows, type Table } from "../table/table.ts";
import type { TextColumn } from "../text/term-rows.ts";
import { findEndings } from "./endings.ts";
import { drawWholeGroups } from "./group-rows.ts";
import { inStretches, textSample } from "./sample.ts";
import { findTextTwins } from "./text-twins.ts";
import { type FastModel, isLoss, isLossOfFew, Trial, type TrialComparison, type TrialSettings } from "./trial.ts";

/** Rows whose texts are compared, and of these, rows that a model of words is judged on, at most. */
const MOST_TEXTS = 20_000;
const MOST_TEXTS_JUDGED = 2_000;
const TEXT_DRAW = 86;
/**
 * Fewer kinds of texts all come again and again, such as the phrases of a trade: a new kind is rare, though nothing
 * tells that none comes (D173).
 */
const FEW_KINDS = 30;

/** Short requests come again nearly word for word in new texts too: banking77 loses 4 to 6 points. */
const LEAST_LOSS = 0.1;
/** A first look that shows less ends the comparison: it may miss some of the loss. */
const HINT_LOSS = (3 / 4) * LEAST_LOSS;

interface TextLoss {
  /** Texts are twins of each other; or nearly all are of a few kinds; or they end in names that others end in too. */
  bond: "texts" | "few texts" | "endings";
  column: number;
  loss: TrialComparison;
}

/**
 * How good a model of the words alone is where whole groups are held out: a run would not be worse than that; 0 without
 * texts. What other columns lose where groups are new says little where the texts tell the label in any group.
 */
export function heldByWords(table: Table, groups: Uint32Array, settings: TrialSettings): number {
  const { texts = [] } = table;
  if (texts.length === 0) return 0;
  return new Trial(textSample(table, texts), { ...settings, model: "word counts" }).heldOut(groups);
}

/**
 * Yields the columns of texts whose twins, or endings, a model of their words knows; of a large table in stretches of
 * the file. A run learns from the other texts too: what a subject loses says little where the mail below it tells the
 * label. So beside the model of the one text stands a model of all, and only the one that is better at random counts.
 */
export function* findTextLosses(whole: Table, settings: TrialSettings): Generator<TextLoss> {
  const sampled = inStretches(whole, MOST_TEXTS);
  for (const [at, text] of (sampled.texts ?? []).entries()) {
    const { column } = text;
    const twins = findTextTwins(text, settings.stop);
    const byTwins = twins === null ? null : lossOfTwins(sampled, at, twins, settings);
    const byEndings = byTwins === null ? lossOfEndings(sampled, findEndings(text), settings) : null;
    if (byTwins !== null) yield { bond: kindCount(twins!) < FEW_KINDS ? "few texts" : "texts", column, loss: byTwins };
    if (byEndings !== null) yield { bond: "endings", column, loss: byEndings };
  }
}

/** Null for none. `at`: the place of the text among those of the table. */
function lossOfTwins(table: Table, at: number, twins: Uint32Array, settings: TrialSettings): TrialComparison | null {
  const { texts, costOf } = heldTogether(table, Float64Array.from(twins), { ...settings, hintLoss: HINT_LOSS });
  const alone = costOf("words", [texts[at]!]);
  if (!isTextLoss(alone)) return null;
  const together = costOf("word counts", texts);
  const loss = together.random >= alone.random ? together : alone;
  return isTextLoss(loss) ? loss : null;
}

/** The first one; null for none. By all texts. Few writers differ by chance, so the loss has to be most of the lead. */
function lossOfEndings(
  table: Table,
  endings: readonly Float64Array[],
  settings: TrialSettings,
): TrialComparison | null {
  for (const ofRows of endings) {
    const { rows, texts, costOf } = heldTogether(table, ofRows, settings);
    const loss = costOf("word counts", texts);
    if (isLossOfFew(loss, rows)) return loss;
  }
  return null;
}

/** Rows of whole kinds, and what models of their texts lose where kinds are held out. `kinds`: by row; NaN for none. */
function heldTogether(table: Table, kinds: Float64Array, settings: TrialSettings) {
  const drawn = drawWholeGroups(kinds, MOST_TEXTS_JUDGED, deriveSeed(settings.seed, TEXT_DRAW));
  const groups = mapped(Uint32Array, drawn, (row) => kinds[row]!);
  const rows = selectTableRows(table, drawn);
  const costOf = (model: FastModel, learned: readonly TextColumn[]) =>
    new Trial(textSample(rows, learned), { ...settings, model }).costOfGroups(groups);
  return { rows, texts: rows.texts ?? [], costOf };
}

function isTextLoss(found: TrialComparison): boolean {
  return isLoss(found, { loss: LEAST_LOSS });
}

/** The number of equally large groups whose rows would agree as often. */
function kindCount(groups: Uint32Array): number {
  return 1 / simpsonIndex(countRowsByCode(groups, groups.length, rowsUpTo(groups.length)));
}
