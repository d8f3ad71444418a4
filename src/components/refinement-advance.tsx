// A refinement under way, or one that ended without a result: how far it is, where it has been, what its models do so far.
import type { RefinementProgress } from "../api/refinement-progress.ts";
import { formatCount, formatDuration, formatPercent } from "../format.ts";
import { Facts, Section } from "./page.tsx";
import { Progress } from "./progress.tsx";
import { Badge, isOver, StateBadge, wordOf } from "./state-badge.tsx";
import { Table } from "./table.tsx";
import { Percent, Time, Undefined } from "./words.tsx";

type Row = RefinementProgress["baselineTopPerformances"][number];

/** What a stage does, by the beginning of its state. */
const STAGES: readonly (readonly [start: string, what: string])[] = [
  ["PENDING", "Waiting until other jobs make room"],
  ["SETUP_", "Reading the files and their columns"],
  ["MEASURE_INITIAL_THRESHOLD", "Measuring what the most frequent answer reaches"],
  ["BASELINE_RUN_", "Training models on all columns, for comparison"],
  ["REFINING_LOOP_", "Weighing columns against noise"],
  ["CREATING_RESULT", "Writing the reduced files"],
];

export function RefinementAdvance({ progress }: { progress: RefinementProgress }) {
  const { state, progressCompleted, progressTotal, elapsedSeconds, cancelRequested } = progress;
  const isKnown = progressTotal !== null && progressTotal > 0;
  const what = STAGES.find(([start]) => state.startsWith(start))?.[1] ?? "Working";
  return (
    <Progress
      label={cancelRequested === true ? "Stopping at the next step" : what}
      share={isKnown ? (progressCompleted ?? 0) / progressTotal : null}
      elapsedSeconds={elapsedSeconds}
    />
  );
}

/** Baseline against current, as far as it is known. */
export function RefinementFigures({ progress }: { progress: RefinementProgress }) {
  const { baselineTopPerformances, currentTopPerformances, elapsedSeconds } = progress;
  const before = bestOf(baselineTopPerformances);
  const now = bestOf(currentTopPerformances);
  const none = "No model has been measured yet";
  const wrong = (row: Row | null) => (row === null ? <Undefined reason={none} /> : formatCount(row.falseDecisions));
  return (
    <Facts
      facts={[
        ["Accuracy on all columns", <Percent key="before" share={before?.accuracy ?? null} reason={none} />],
        ["Best so far", <Percent key="now" share={now?.accuracy ?? null} reason={none} />],
        ["Wrong on all columns", wrong(before)],
        ["Fewest wrong so far", wrong(now)],
        ["Time taken", formatDuration(elapsedSeconds)],
      ]}
    />
  );
}

function bestOf(rows: readonly Row[]): Row | null {
  return rows.find(({ best }) => best) ?? rows[0] ?? null;
}

/** Both tables; nothing where nothing was measured. */
export function Performances({ progress }: { progress: RefinementProgress }) {
  const { baselineTopPerformances: before, currentTopPerformances: current } = progress;
  // At the start both are the same.
  const isBetter = JSON.stringify(before) !== JSON.stringify(current);
  const rows = [
    ...before.map((row, rank) => ({ row, name: `All columns, model ${rank + 1}` })),
    ...(isBetter ? current.map((row, rank) => ({ row, name: `Best so far, model ${rank + 1}` })) : []),
  ];
  if (rows.length === 0) return null;
  const share = (value: number | null) =>
    value === null ? <Undefined reason="Undefined here" /> : formatPercent(value);
  return (
    <Section title="Models on the blind test">
      <Table
        caption="Models on the blind test, the fewest wrong decisions first"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { head: "Model", cell: ({ name }) => name },
          { head: "Wrong", isNumber: true, cell: ({ row }) => formatCount(row.falseDecisions) },
          { head: "Accuracy", isNumber: true, cell: ({ row }) => share(row.accuracy) },
          { head: "Precision", isNumber: true, cell: ({ row }) => share(row.precision) },
          { head: "Recall", isNumber: true, cell: ({ row }) => share(row.recall) },
          { head: "F1", isNumber: true, cell: ({ row }) => share(row.f1Score) },
        ]}
      />
    </Section>
  );
}

/** The states that were entered, and how long each lasted. */
export function Trail({ progress }: { progress: RefinementProgress }) {
  const { recentActivities } = progress;
  const steps = recentActivities.map(({ timestamp, state }, at) => {
    const next = recentActivities[at + 1];
    const lastedMs = next === undefined ? null : Date.parse(next.timestamp) - Date.parse(timestamp);
    return { timestamp, state, lastedMs };
  });
  return (
    <Section title="Steps">
      {progress.state !== "PENDING" && (
        <p class="note">
          Created <Time at={progress.createdOn} />, {formatDuration(progress.elapsedSeconds)} of work.
        </p>
      )}
      <ol class="trail">
        {steps.map(({ timestamp, state, lastedMs }) => (
          <li key={`${timestamp} ${state}`}>
            {lastedMs === null ? (
              <StateBadge state={state} word={stepWord(state)} />
            ) : (
              <Badge tone="done" word={stepWord(state)} />
            )}
            <span class="note num" title={timestamp}>
              {lastedMs === null ? !isOver(state) && "now" : formatDuration(Math.max(0, lastedMs) / 1_000)}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** "Refining 2" for REFINING_LOOP_2. */
function stepWord(state: string): string {
  const count = /_(\d+)$/.exec(state)?.[1];
  return count === undefined ? wordOf(state) : `${wordOf(state)} ${count}`;
}
