// The confusion matrix of one version: a picture, the most frequent confusions, and a table of all counts.

import { sumOf } from "../../engine/sums.ts";
import { formatCount, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, name, plainName } from "../common/markup.ts";
import type { VersionSummary } from "../summary/summary.ts";
import { worstConfusions } from "./measures.ts";
import { disclosure, figure, figureTable, type Picture, picture, table } from "./pictures.ts";
import { compactCount, fitTexts, textWidth } from "./scales.ts";

const WIDTH = 328;
/** With more classes, counts do not fit into the cells, and the most frequent confusions are listed. */
const MOST_NUMBERED = 12;
/** With more classes, names do not fit beside the cells. */
const MOST_NAMED = 40;
const LARGEST_CELL = 96;
/** Names are shown beside cells of this size, for which the picture grows to so many pixels. */
const NAMED_CELL = 11;
const WIDEST = 400;
/** Lines between cells that are too small to count. */
const LINED = 5;
const WORST_LISTED = 8;

type JudgedDecisions = Pick<VersionSummary, "confusion"> & ({ version: number } | { of: string });

export function confusionFigure(version: JudgedDecisions, labels: readonly string[]): Markup {
  const caption =
    labels.length > MOST_NUMBERED
      ? "Rows: actual class, columns: decided class; darker is a larger share of the actual class. " +
        "The diagonal is right."
      : "Rows: actual class, columns: decided class. The diagonal is right; shares are of the actual class.";
  return html`${figure(picture(confusionChart(version, labels)), caption, null)}${
    labels.length > MOST_NUMBERED ? worstTable(version, labels) : null
  }${disclosure("Table behind the picture", confusionTable(version, labels))}`;
}

function confusionChart(judged: JudgedDecisions, labels: readonly string[]): Picture {
  const { confusion } = judged;
  const longest = Math.max(...labels.map((label) => textWidth(label || "(empty)", 11)));
  const margin = labels.length > MOST_NAMED ? 20 : Math.min(110, 26 + longest);
  const fitting = (WIDTH - margin) / labels.length;
  const cell = Math.min(LARGEST_CELL, Math.max(fitting, Math.min(NAMED_CELL, (WIDEST - margin) / labels.length)));
  // Names that do not fit above their columns are turned.
  const turned = labels.some((label) => textWidth(label || "(empty)", 11) > cell - 4);
  const top = 18 + (labels.length > MOST_NAMED ? 0 : turned ? Math.min(80, longest + 8) : 16);
  const side = cell * labels.length;
  const frame = { margin, top, cell, turned };
  const wrong = worstConfusions(confusion)[0];
  return {
    title: `Confusion matrix, ${nameOf(judged)}`,
    description:
      wrong === undefined
        ? "Every decision was right."
        : `Most frequent confusion: ${plainName(labels[wrong.actual] ?? "", 40)} decided as ` +
          `${plainName(labels[wrong.decided] ?? "", 40)}, ${formatCount(wrong.count)} times.`,
    width: Math.max(WIDTH, margin + side),
    height: top + side + 2,
    body: html`<text class="tick" x="${margin + side / 2}" y="11" text-anchor="middle">decided as</text><text class="tick" transform="translate(10 ${top + side / 2}) rotate(-90)" text-anchor="middle">actual</text>
<rect class="ground" x="${margin}" y="${top}" width="${side}" height="${side}"/>
${labels.length > MOST_NUMBERED ? lines(labels.length, frame) : null}
${labels.length > MOST_NAMED ? null : axisNames(labels, frame)}
${confusion.map((row, actual) => cellsOf(row, actual, labels, frame))}`,
  };
}

/** Every fifth, so that the eye finds a cell's row and column. */
function lines(classCount: number, { margin, top, cell }: Frame): Markup[] {
  const side = cell * classCount;
  return Array.from({ length: Math.floor((classCount - 1) / LINED) }, (_, index) => {
    const at = (index + 1) * LINED * cell;
    return html`<path class="grid" d="M${margin} ${top + at}h${side}M${margin + at} ${top}v${side}"/>`;
  });
}

interface Frame {
  margin: number;
  top: number;
  cell: number;
  turned: boolean;
}

function axisNames(labels: readonly string[], { margin, top, cell, turned }: Frame): (Markup | null)[] {
  const above = fitTexts(labels, turned ? top - 20 : cell, 11);
  const beside = fitTexts(labels, margin - 24, 11);
  return labels.map((_, k) => {
    // With tiny cells only every second or third name fits.
    if (k % Math.ceil(NAMED_CELL / cell) !== 0) return null;
    const middle = (k + 0.5) * cell;
    const across = turned
      ? html`<text class="tick" transform="translate(${margin + middle + 4} ${top - 5}) rotate(-90)">${above[k]!}</text>`
      : html`<text class="tick" x="${margin + middle}" y="${top - 6}" text-anchor="middle">${above[k]!}</text>`;
    return html`${across}<text class="tick" x="${margin - 6}" y="${top + middle + 4}" text-anchor="end">${beside[k]!}</text>`;
  });
}

function cellsOf(row: readonly number[], actual: number, labels: readonly string[], frame: Frame): Content {
  const { margin, top, cell } = frame;
  const total = sumOf(row);
  return row.map((count, decided) => {
    // Large matrices are mostly empty: empty cells are not drawn.
    if (count === 0 && (labels.length > MOST_NUMBERED || total === 0)) return null;
    const share = count / total;
    const x = margin + decided * cell;
    const y = top + actual * cell;
    const gap = cell > 16 ? 1 : 0;
    const names = `${plainName(labels[actual] ?? "", 60)} decided as ${plainName(labels[decided] ?? "", 60)}`;
    // Even the darkest cell is partly transparent, so that its figure keeps its contrast.
    const strength = count === 0 ? 0 : actual === decided ? 0.08 + 0.42 * share : 0.12 + 0.6 * Math.sqrt(share);
    return html`<g><title>${names}: ${formatCount(count)}, ${formatPercent(share)}</title><rect class="${actual === decided ? "right" : "wrong"}" x="${x + gap}" y="${y + gap}" width="${cell - 2 * gap}" height="${cell - 2 * gap}" fill-opacity="${Math.min(0.6, strength)}"/>${cellText(count, share, x + cell / 2, y + cell / 2, cell)}</g>`;
  });
}

function cellText(count: number, share: number, x: number, y: number, cell: number): Markup | null {
  const text = compactCount(count);
  const size = cell >= 40 ? 14 : 10;
  if (cell < 19 || textWidth(text, size) > cell) return null;
  const shareText =
    cell >= 44
      ? html`<text class="share" x="${x}" y="${y + 15}" text-anchor="middle">${formatPercent(share)}</text>`
      : null;
  return html`<text class="${cell >= 40 ? "large" : "small"}" x="${x}" y="${shareText === null ? y + size * 0.36 : y}" text-anchor="middle">${text}</text>${shareText}`;
}

function worstTable(judged: JudgedDecisions, labels: readonly string[]): Markup | null {
  const worst = worstConfusions(judged.confusion).slice(0, WORST_LISTED);
  if (worst.length === 0) return null;
  return figureTable(
    `Most frequent confusions, ${nameOf(judged)}`,
    ["Actual", "Decided as", "Rows", "Share"],
    worst.map(({ actual, decided, count, share }) => [
      name(labels[actual] ?? "", 32),
      name(labels[decided] ?? "", 32),
      formatCount(count),
      formatPercent(share),
    ]),
  );
}

function confusionTable(judged: JudgedDecisions, labels: readonly string[]): Markup {
  const { confusion } = judged;
  const head = html`<tr><th scope="col">Actual</th>${labels.map((label) => html`<th scope="col" class="num">as ${name(label, 32)}</th>`)}</tr>`;
  const withShares = labels.length <= MOST_NUMBERED;
  const body = confusion.map((row, actual) => {
    const total = sumOf(row);
    return html`<tr><th scope="row">${name(labels[actual] ?? "", 32)}</th>${row.map(
      (count) =>
        html`<td class="num">${formatCount(count)}${withShares && total > 0 ? html` <small>${formatPercent(count / total)}</small>` : null}</td>`,
    )}</tr>\n`;
  });
  return table(`Confusion matrix, ${nameOf(judged)}`, head, body, "tall");
}

function nameOf(judged: JudgedDecisions): string {
  return "of" in judged ? judged.of : `version ${judged.version}`;
}
