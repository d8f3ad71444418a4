// How often a refinement read its blind test: wrong decisions and columns of every proposal, refused ones too.

import type { CheckpointRecord } from "../../../data/database/records.ts";
import { axisLine, figure, figureOr, figureTable, type Picture, responsive, tip } from "../../charts/pictures.ts";
import { linearScale, oneDecimal } from "../../charts/scales.ts";
import { formatAmount, formatCount } from "../../common/format.ts";
import { type Content, html, type Markup, plainName, shorten } from "../../common/markup.ts";
import { bestRow } from "./refinement-performance.ts";
import { hasResult, type RefinementOutcome } from "./refinement-words.ts";

const MOST_WIDTH = 680;
const SIDE = 8;
const DOTS_TOP = 46;
const DOTS_BOTTOM = 106;
const BARS_TOP = 158;
const BARS_BOTTOM = 218;
const HEIGHT = 288;

/** The start, then every proposal. The start's column count is unknown if the refinement ended before its decisions. */
interface Step extends Omit<CheckpointRecord, "columnCount" | "worseBy"> {
  columnCount: number | null;
  worseBy: number | null;
  isStart: boolean;
}

/** The picture with its table, or the reason why there is none. */
export function checkpointsFigure(summary: RefinementOutcome): Markup {
  const steps = stepsOf(summary);
  if (steps.length < 2) return html`<p class="missing">${whyNone(summary)}</p>`;
  const accepted = summary.checkpoints.filter((checkpoint) => checkpoint.accepted).length;
  return html`<p class="lead">The blind test was read ${formatAmount(steps.length - 1, "time")} after the start: ${formatAmount(accepted, "proposal")} accepted, ${formatCount(steps.length - 1 - accepted)} refused. A proposal is refused if it is worse than the best so far by more than chance, or at all where near copies go.</p>
${figure(
  responsive((width) => checkpointsChart(steps, Math.min(width, MOST_WIDTH))),
  "Above: wrong decisions of the best model. Below: the columns it uses. " +
    "A cross and a dashed outline mark refused proposals.",
  figureTable(
    "Readings of the blind test",
    [
      "Step",
      "Columns",
      "Wrong decisions",
      tip(
        "Worse by",
        "Standard errors by which it makes more wrong decisions than the best so far; " +
          "refused above 1.645, or above 0 where near copies go",
      ),
      "Outcome",
    ],
    steps.map((step, i) => [
      html`${i}. ${plainName(step.proposal, 120)}`,
      figureOr("not recorded", step.columnCount, formatCount),
      formatCount(step.falseDecisions),
      figureOr("nothing came before the start", step.worseBy, oneDecimal),
      outcome(step),
    ]),
  ),
)}`;
}

function stepsOf({ checkpoints, columns, baselineTopPerformances }: RefinementOutcome): Step[] {
  const start = bestRow(baselineTopPerformances);
  if (start === null) return [];
  const { falseDecisions } = start;
  return [
    {
      proposal: "all columns",
      columnCount: columns.length === 0 ? null : columns.length,
      falseDecisions,
      worseBy: null,
      accepted: true,
      isStart: true,
    },
    ...checkpoints.map((checkpoint) => ({ ...checkpoint, isStart: false })),
  ];
}

function whyNone(summary: RefinementOutcome): string {
  if (summary.baselineTopPerformances.length === 0)
    return "The refinement ended before the blind test was read for the first time.";
  if (!hasResult(summary)) return "The refinement ended before a proposal was put to the blind test.";
  return "No proposal to use fewer columns was put to the blind test.";
}

function outcome({ isStart, accepted }: Step): string {
  if (isStart) return "start";
  return accepted ? "accepted" : "refused";
}

function checkpointsChart(steps: readonly Step[], width: number): Picture {
  const room = (width - 2 * SIDE) / steps.length;
  const x = (i: number) => SIDE + (i + 0.5) * room;
  return {
    title: "Wrong decisions and columns by proposal",
    description: `${steps.map((step, i) => `${i}. ${plainName(step.proposal, 60)}: ${step.columnCount === null ? "" : `${formatAmount(step.columnCount, "column")}, `}${formatAmount(step.falseDecisions, "wrong decision")}, ${outcome(step)}`).join("; ")}.`,
    width,
    height: HEIGHT,
    body: html`<text class="tick" x="${SIDE}" y="14">wrong decisions</text>${dots(steps, x)}
<text class="tick" x="${SIDE}" y="${BARS_TOP - 26}">columns</text>${bars(steps, x, room)}
${axisLine([SIDE, width - SIDE], BARS_BOTTOM)}
${steps.map((step, i) => stepLabel(step, i, x(i), room - 8))}`,
  };
}

/** The outcome, then the proposal on up to three lines. */
function stepLabel(step: Step, i: number, x: number, room: number): Markup {
  const lines = wrap(`${i}. ${plainName(step.proposal, 80)}`, Math.floor(room / 6.6), 3);
  return html`<text class="label ${step.isStart ? "" : outcome(step)}" x="${x}" y="${BARS_BOTTOM + 18}" text-anchor="middle">${outcome(step)}</text>${lines.map((line, k) => html`<text class="tick" x="${x}" y="${BARS_BOTTOM + 35 + k * 14}" text-anchor="middle">${line}</text>`)}`;
}

/** Breaks text at spaces into lines of at most `longest` characters; an ellipsis marks a cut. */
function wrap(text: string, longest: number, mostLines: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= longest) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const kept = lines.slice(0, mostLines);
  if (lines.length > mostLines) kept[mostLines - 1] = `${kept[mostLines - 1] ?? ""}…`;
  return kept.map((line) => shorten(line, longest));
}

/** The line connects accepted proposals; refused ones branch off. */
function dots(steps: readonly Step[], x: (i: number) => number): Content {
  const counts = steps.map(({ falseDecisions }) => falseDecisions);
  const least = Math.min(...counts);
  const most = Math.max(...counts, least + 1);
  const y = linearScale([least, most], [DOTS_BOTTOM, DOTS_TOP]);
  let standing = counts[0] ?? 0;
  const path: Markup[] = [html`M${x(0)} ${y(standing)}`];
  const refusals: Markup[] = [];
  steps.forEach((step, i) => {
    if (i === 0) return;
    if (step.accepted) standing = step.falseDecisions;
    else
      refusals.push(
        html`<path class="rule refused" d="M${x(i - 1)} ${y(standing)}L${x(i)} ${y(step.falseDecisions)}"/>`,
      );
    path.push(html`L${x(i)} ${y(standing)}`);
  });
  return html`${refusals}<path class="curve" d="${path}"/>${steps.map((step, i) => dot(step, x(i), y(step.falseDecisions)))}`;
}

function dot(step: Step, x: number, y: number): Markup {
  const mark = step.accepted
    ? html`<circle class="point${step.isStart ? " start" : ""}" cx="${x}" cy="${y}" r="5"/>`
    : html`<path class="cross" d="M${x - 5} ${y - 5}l10 10m0 -10l-10 10"/>`;
  return html`<g><title>${plainName(step.proposal, 120)}: ${formatAmount(step.falseDecisions, "wrong decision")}, ${outcome(step)}</title>${mark}<text class="figure halo" x="${x}" y="${y - 11}" text-anchor="middle">${formatCount(step.falseDecisions)}</text></g>`;
}

function bars(steps: readonly Step[], x: (i: number) => number, room: number): Content {
  const most = Math.max(1, ...steps.map(({ columnCount }) => columnCount ?? 0));
  const width = Math.min(72, room * 0.6);
  return steps.map((step, i) => {
    if (step.columnCount === null) return null;
    const height = Math.max(1, ((BARS_BOTTOM - BARS_TOP) * step.columnCount) / most);
    const look = step.isStart ? "bar quiet" : step.accepted ? "bar" : "bar refused";
    return html`<rect class="${look}" x="${x(i) - width / 2}" y="${BARS_BOTTOM - height}" width="${width}" height="${height}"/><text class="figure" x="${x(i)}" y="${BARS_BOTTOM - height - 5}" text-anchor="middle">${formatCount(step.columnCount)}</text>`;
  });
}
