// A refinement that is running or ended without a result: progress, figures so far, models so far, steps.
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import { formatCount, formatDuration, formatPercent } from "../common/format.ts";
import { bestRow, performanceTable } from "../report/refinement/refinement-performance.ts";
import { isOver, wordsOf } from "../words/state-words.ts";
import { Drawing } from "./drawing.tsx";
import { Facts, Section } from "./page.tsx";
import { Progress } from "./progress.tsx";
import { Badge } from "./state-badge.tsx";
import { orDash, Time } from "./words.tsx";

export function RefinementAdvance({ progress }: { progress: RefinementProgress }) {
  const { state, progressCompleted, progressTotal, elapsedSeconds, cancelRequested } = progress;
  const isKnown = progressTotal !== null && progressTotal > 0;
  return (
    <Progress
      label={cancelRequested === true ? "Stopping at the next step" : wordsOf(state).doing}
      share={isKnown ? (progressCompleted ?? 0) / progressTotal : null}
      elapsedSeconds={elapsedSeconds}
    />
  );
}

/** The best models so far: on all columns, and of the whole run. */
export function RefinementFigures({ progress }: { progress: RefinementProgress }) {
  const before = bestRow(progress.baselineTopPerformances);
  const now = bestRow(progress.currentTopPerformances);
  const none = "No model has been measured yet";
  const accuracy = (row: typeof before) => orDash(none, row?.accuracy ?? null, formatPercent);
  const wrong = (row: typeof before) => orDash(none, row?.falseDecisions ?? null, formatCount);
  return (
    <Facts
      facts={[
        ["Accuracy on all columns", accuracy(before)],
        ["Best so far", accuracy(now)],
        ["Wrong on all columns", wrong(before)],
        ["Fewest wrong so far", wrong(now)],
        ["Time taken", formatDuration(progress.elapsedSeconds)],
      ]}
    />
  );
}

/** Both groups of models; nothing before the first is measured. */
export function Performances({ progress }: { progress: RefinementProgress }) {
  const { baselineTopPerformances: before, currentTopPerformances: current } = progress;
  if (before.length + current.length === 0) return null;
  // At the start both groups are the same.
  const isSame = JSON.stringify(before) === JSON.stringify(current);
  return (
    <Section title="Models on the blind test">
      <Drawing
        markup={performanceTable(
          [
            ["All columns", before],
            ["Best so far", isSame ? [] : current],
          ],
          0,
        )}
      />
    </Section>
  );
}

/** The states so far, and how long each lasted. */
export function Trail({ progress }: { progress: RefinementProgress }) {
  const { recentActivities } = progress;
  return (
    <Section title="Steps">
      {progress.state !== "PENDING" && (
        <p class="note">
          Created <Time at={progress.createdOn} />, {formatDuration(progress.elapsedSeconds)} of work.
        </p>
      )}
      <ol class="trail">
        {recentActivities.map(({ timestamp, state }, at) => {
          const next = recentActivities[at + 1];
          const { tone, word } = wordsOf(state);
          const count = /_(\d+)$/.exec(state)?.[1];
          const seconds = next === undefined ? 0 : (Date.parse(next.timestamp) - Date.parse(timestamp)) / 1_000;
          return (
            <li key={`${timestamp} ${state}`}>
              <Badge tone={next === undefined ? tone : "done"} word={count === undefined ? word : `${word} ${count}`} />
              <span class="note num" title={timestamp}>
                {next === undefined ? !isOver(state) && "now" : formatDuration(Math.max(0, seconds))}
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
