// Accuracy by attempt: a mark for each, the best so far or the champion, the
// kept versions, and rules for target and majority.
import type { AttemptRecord } from "../../data/database/records.ts";
import { formatCount, formatPercent } from "../common/format.ts";
import { type Content, html, type Markup, plainName } from "../common/markup.ts";
import { settingsInWords } from "../words/settings-words.ts";
import { majorityRule } from "./accuracy-scale.ts";
import { type Box, type KeptMark, markBox, ruleLabel, versionLabels } from "./competition-labels.ts";
import { FAMILY_CLASSES, familyShape } from "./family-marks.ts";
import { axisLine, type Picture } from "./pictures.ts";
import { linearScale, percentTick, roundCounts, roundTicks, type Scale } from "./scales.ts";

const TOP = 26;
/** Room for "100.0%". */
const LEFT = 52;
const RIGHT_ROOM = 14;
/** Distances of the library baselines, which stand apart from the attempts. */
const LIBRARY_STEP = 26;
const LIBRARY_GAP = 28;

/** The accuracy axis covers at least this much. */
const LEAST_SPAN = 0.02;

/** The facts about a run, finished or running, that the chart draws. */
export interface CompetitionFacts {
  attempts: readonly AttemptRecord[];
  targetPerformance: number | null;
  /** The accuracy of always answering `label`; null until it is known. */
  baseline: { label: string; accuracy: number } | null;
  /** The axis has room for this many attempts; left out for a finished run. */
  attemptsPlanned?: number;
  /** The version whose accuracy the run answers with; null or left out while it is not known. */
  champion?: number | null;
}

type Scored = AttemptRecord & { accuracy: number };

/** Scales and positions of one drawing. */
interface Layout {
  /** The place of an attempt. */
  x: Scale;
  /** The place of an accuracy. */
  y: Scale;
  floor: number;
  /** The x at which the attempts end. */
  attemptsEnd: number;
  right: number;
  bottom: number;
  radius: number;
}

export function competitionChart(summary: CompetitionFacts, width: number): Picture {
  const attempts = summary.attempts.filter(({ role }) => role === "attempt");
  const libraries = summary.attempts.filter(isScored).filter(({ role }) => role === "library baseline");
  const scored = attempts.filter(isScored).sort((a, b) => a.attempt - b.attempt);
  const height = width < 500 ? 280 : 340;
  const layout = layOut(summary, scored, libraries, width, height);
  const { baseline, attemptsPlanned = 0 } = summary;
  const champion = scored.find(({ version }) => version !== null && version === summary.champion) ?? null;
  const majority =
    baseline === null ? "" : `; always answering ${plainName(baseline.label, 40)} ${formatPercent(baseline.accuracy)}`;
  const takenBoxes = marksOf(scored, libraries, layout);
  const versions = versionLabels(keptMarks(scored, layout), LEFT, layout.right, takenBoxes);
  const { lines, labels } = rules(summary, layout, takenBoxes);
  return {
    title: "Accuracy by attempt",
    description:
      `${formatCount(scored.length)} attempts on the held-out rows${leaderInWords(champion, scored)}${majority}. ` +
      "The leaderboard below has every figure.",
    width,
    height,
    body: html`${axes(layout, Math.max(attempts.length, attemptsPlanned))}${lines}${champion === null ? bestSoFar(scored, layout, attemptsPlanned > scored.length) : championLine(champion, layout)}
${attempts.filter(({ status }) => status === "failed").map((attempt) => failure(attempt, layout))}
${[...scored].sort((a, b) => rank(a) - rank(b)).map((attempt) => mark(attempt, layout.x(attempt.attempt), layout))}
${libraryMarks(libraries, layout)}${labels}${versions}`,
  };
}

function isScored(attempt: AttemptRecord): attempt is Scored {
  return attempt.accuracy !== null;
}

/** Drawing order: versions over finalists over the others. */
function rank({ version, finalist }: AttemptRecord): number {
  return version !== null ? 2 : finalist ? 1 : 0;
}

function layOut(
  summary: CompetitionFacts,
  scored: readonly Scored[],
  libraries: readonly Scored[],
  width: number,
  height: number,
): Layout {
  const right = width - RIGHT_ROOM;
  const bottom = height - 40;
  const step = Math.min(LIBRARY_STEP, (width * 0.25) / Math.max(1, libraries.length));
  const attemptsEnd = libraries.length === 0 ? right : right - LIBRARY_GAP - step * (libraries.length - 1) - 10;
  const numbers = summary.attempts.filter(({ role }) => role === "attempt").map(({ attempt }) => attempt);
  const last = Math.max(2, summary.attemptsPlanned ?? 0, ...numbers);
  const [floor, ceiling] = accuracyDomain(summary, scored);
  const spacing = (attemptsEnd - LEFT) / last;
  return {
    x: linearScale([1, last], [LEFT + 12, attemptsEnd - 8]),
    y: linearScale([floor, ceiling], [bottom, TOP]),
    floor,
    attemptsEnd,
    right,
    bottom,
    radius: Math.max(2.2, Math.min(5.5, spacing * 0.45)),
  };
}

/**
 * The range of the accuracy axis. Attempts far below the rest stand on its
 * floor with an arrow instead of stretching it.
 */
function accuracyDomain(summary: CompetitionFacts, scored: readonly Scored[]): [number, number] {
  const values = scored.map(({ accuracy }) => accuracy).sort((a, b) => a - b);
  const target = summary.targetPerformance;
  if (values.length === 0) return [0, 1];
  const best = values[values.length - 1] ?? 1;
  const median = values[values.length >> 1] ?? best;
  const least = best - Math.max(0.03, 4 * (best - median));
  // The majority may be above every attempt.
  const high = Math.min(1, Math.max(best, target ?? best, summary.baseline?.accuracy ?? best) + 0.004);
  // Without a least span, attempts that are all alike would stand on the floor, where the words are.
  const low = Math.min(Math.max(values[0] ?? 0, least), high - LEAST_SPAN);
  const majority = summary.baseline?.accuracy ?? low;
  // The axis reaches down to the majority if that costs at most 60% of its length.
  const withMajority = majority < low && high - majority <= 2.5 * (high - low) ? majority : low;
  // Each rule below the axis gets a line of text at the bottom.
  const named = [summary.baseline?.accuracy, target].filter((share) => share != null && share < withMajority).length;
  return [Math.max(0, withMajority - (high - withMajority) * (0.06 + 0.08 * named)), high];
}

function axes({ y, x, floor, bottom, right, attemptsEnd }: Layout, attemptCount: number): Markup {
  const ceiling = floor + (bottom - TOP) * ((1 - floor) / (bottom - y(1)));
  const up = roundTicks(floor, ceiling, 5);
  const last = Math.max(1, attemptCount);
  const across = [1, ...roundCounts(1, last, 6).filter((n) => n > 1)];
  return html`${up.map((tick) => html`<line class="grid" x1="${LEFT}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${percentTick(tick, up)}</text>`)}
${axisLine([LEFT, right], bottom)}
${across.map((tick) => html`<text class="tick" x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${formatCount(tick)}</text>`)}
<text class="tick" x="${(LEFT + attemptsEnd) / 2}" y="${bottom + 35}" text-anchor="middle">attempt</text>`;
}

/** The rules, and their words, which are drawn over everything else. */
function rules({ baseline, targetPerformance: target }: CompetitionFacts, layout: Layout, takenBoxes: Box[]) {
  const { y, floor, bottom, right } = layout;
  const lines: Content[] = [];
  const labels: Content[] = [];
  const across = { left: LEFT + 4, right };
  const draw = (look: string, text: string, share: number, places: readonly number[], placeBelow: number) => {
    if (share < floor) {
      labels.push(ruleLabel(`${text}, below ↓`, look, [placeBelow], across, takenBoxes));
      return;
    }
    const place = y(share);
    lines.push(html`<line class="rule ${look}" x1="${LEFT}" x2="${right}" y1="${place}" y2="${place}"/>`);
    const inside = places.map((offset) => place + offset).filter((each) => each > 10 && each < bottom - 3);
    labels.push(ruleLabel(text, look, inside, across, takenBoxes));
  };
  // Words stand below the majority and above the target, if there is room.
  if (baseline !== null) {
    draw("majority", majorityRule(baseline).label, baseline.accuracy, [13, -5], bottom - 22);
  }
  if (target !== null) draw("target", `target ${formatPercent(target)}`, target, [-5, 13], bottom - 6);
  return { lines, labels };
}

/** One answer: the champion, once there is one, and not an attempt that only the held-out rows favour. */
function leaderInWords(champion: Scored | null, scored: readonly Scored[]): string {
  if (champion !== null) return `, the champion attempt ${champion.attempt} with ${formatPercent(champion.accuracy)}`;
  const best = scored.reduce<Scored | null>((a, b) => (a === null || b.accuracy > a.accuracy ? b : a), null);
  return best === null ? "" : `, the best so far attempt ${best.attempt} with ${formatPercent(best.accuracy)}`;
}

function championLine({ accuracy }: Scored, { y, floor, attemptsEnd }: Layout): Markup {
  return html`<path class="best" d="M${LEFT} ${y(Math.max(floor, accuracy))}H${attemptsEnd - 2}"/>`;
}

/** The line of the best so far. It ends at the last attempt while more will come, otherwise at the end of the axis. */
function bestSoFar(
  scored: readonly Scored[],
  { x, y, floor, attemptsEnd }: Layout,
  isUnderWay: boolean,
): Markup | null {
  let best = Number.NEGATIVE_INFINITY;
  const path: Markup[] = [];
  for (const { attempt, accuracy } of scored) {
    if (accuracy <= best) continue;
    path.push(
      path.length === 0
        ? html`M${x(attempt)} ${y(Math.max(floor, accuracy))}`
        : html`H${x(attempt)}V${y(Math.max(floor, accuracy))}`,
    );
    best = accuracy;
  }
  const end = isUnderWay ? x(scored.at(-1)?.attempt ?? 1) : attemptsEnd - 2;
  return path.length === 0 ? null : html`<path class="best" d="${path}H${end}"/>`;
}

function mark(attempt: Scored, x: number, layout: Layout): Markup {
  const { floor, radius, bottom } = layout;
  const below = attempt.accuracy < floor;
  const centre = heightOf(attempt.accuracy, layout);
  const size = attempt.version !== null || attempt.finalist ? radius * 1.15 : radius;
  const look = attempt.finalist || attempt.version !== null ? "mark" : "mark hollow";
  const dimmed = attempt.role === "library baseline" ? " dimmed" : "";
  const ring =
    attempt.version === null ? null : html`<circle class="ring" cx="${x}" cy="${centre}" r="${size + 4.5}"/>`;
  const arrow = below ? html`<path class="arrow" d="M${x - 3} ${bottom + 2}h6l-3 4Z"/>` : null;
  return html`<g class="${FAMILY_CLASSES[attempt.family]}${dimmed}"><title>${hover(attempt)}</title>${ring}<path class="${look}" d="${familyShape(attempt.family, x, centre, size)}"/>${arrow}</g>\n`;
}

function failure(attempt: AttemptRecord, { x, bottom }: Layout): Markup {
  const left = x(attempt.attempt) - 4;
  return html`<g><title>Attempt ${attempt.attempt}, ${attempt.algorithm}: failed. ${plainName(attempt.note ?? "", 200)}</title><path class="cross" d="M${left} ${bottom - 12}l8 8m0 -8l-8 8"/></g>`;
}

/** The x of each library, from left to right. */
function libraryPlaces(libraries: readonly Scored[], { attemptsEnd, right }: Layout): number[] {
  const start = attemptsEnd + LIBRARY_GAP;
  const step = libraries.length === 1 ? 0 : (right - 10 - start) / (libraries.length - 1);
  return libraries.map((_, i) => start + i * step);
}

function libraryMarks(libraries: readonly Scored[], layout: Layout): Content {
  if (libraries.length === 0) return null;
  const places = libraryPlaces(libraries, layout);
  const middle = ((places[0] ?? 0) + layout.right - 10) / 2;
  return html`<line class="divider" x1="${layout.attemptsEnd + 8}" x2="${layout.attemptsEnd + 8}" y1="${TOP}" y2="${layout.bottom}"/><text class="tick" x="${middle}" y="${layout.bottom + 18}" text-anchor="middle">libraries</text>${libraries.map((library, i) => mark(library, places[i]!, layout))}`;
}

/** The areas of all marks, which words should not hide. */
function marksOf(scored: readonly Scored[], libraries: readonly Scored[], layout: Layout): Box[] {
  const places = libraryPlaces(libraries, layout);
  const box = ({ accuracy, version }: Scored, x: number) =>
    markBox(x, heightOf(accuracy, layout), layout.radius + (version === null ? 2 : 6));
  return [
    ...scored.map((each) => box(each, layout.x(each.attempt))),
    ...libraries.map((each, i) => box(each, places[i]!)),
  ];
}

function keptMarks(scored: readonly Scored[], layout: Layout): KeptMark[] {
  return scored.flatMap(({ version, attempt, accuracy }) =>
    version === null ? [] : [{ version, x: layout.x(attempt), y: heightOf(accuracy, layout) }],
  );
}

/** The y of an accuracy; marks below the axis stand on its floor. */
function heightOf(accuracy: number, { y, floor, bottom }: Layout): number {
  return accuracy < floor ? bottom - 8 : y(accuracy);
}

function hover(attempt: Scored): string {
  const wrong = attempt.falseDecisions === null ? "" : `, ${formatCount(attempt.falseDecisions)} wrong`;
  const place = attempt.version !== null ? `, version ${attempt.version}` : attempt.finalist ? ", finalist" : "";
  const kind = attempt.role === "attempt" ? `Attempt ${attempt.attempt}` : "Library baseline";
  return (
    `${kind}, ${attempt.algorithm}${place}: ${formatPercent(attempt.accuracy)}${wrong} (out-of-fold ` +
    `${formatPercent(attempt.outOfFoldAccuracy)}). ${settingsInWords(attempt.settings)}`
  );
}
