// The competition of a training, while it lasts and after: accuracy by attempt as a picture, and the leaderboard.
import { useState } from "preact/hooks";
import type { AttemptRecord } from "../../data/records.ts";
import { type CompetitionFacts, competitionChart } from "../charts/competition-chart.ts";
import { familyClass, familyShape } from "../charts/family-marks.ts";
import { html, plainName } from "../charts/markup.ts";
import { figure, responsive } from "../charts/pictures.ts";
import { formatAmount, formatCount, formatDuration, formatFigure, formatPercent } from "../format.ts";
import { competitionLegend } from "../report/competition.ts";
import { settingsInWords } from "../report/settings-words.ts";
import { Drawing } from "./drawing.tsx";
import { Empty } from "./states.tsx";
import { Table } from "./table.tsx";
import { Undefined } from "./words.tsx";

/** Rows of the leaderboard before the rest is asked for. */
const SHOWN = 10;
const LONGEST_SETTINGS = 160;

/** `attempts`: best first, as the API ranks them. `isOver`: nothing more will come. */
export function Competition({ isOver, ...facts }: CompetitionFacts & { isOver: boolean }) {
  const { attempts } = facts;
  if (attempts.length === 0) {
    return isOver ? (
      <Empty title="No attempt was made">
        <p>The training ended before one of them had finished.</p>
      </Empty>
    ) : (
      <Empty title="No attempt has finished yet">
        <p>The first ones are under way. Each will appear here with its accuracy on rows that it has not seen.</p>
      </Empty>
    );
  }
  const hasLibraries = attempts.some(({ role }) => role === "library baseline");
  const caption =
    "Accuracy on the held-out rows. The line is the best so far; an arrow marks what lies below the scale, a cross what failed. Pointing at a mark names its settings.";
  return (
    <>
      <Drawing
        markup={html`${figure(
          responsive((width) => competitionChart(facts, width)),
          caption,
          null,
        )}${competitionLegend(hasLibraries)}`}
      />
      <Leaderboard attempts={attempts} />
    </>
  );
}

function Leaderboard({ attempts }: { attempts: readonly AttemptRecord[] }) {
  const [isWhole, setWhole] = useState(false);
  // Libraries are there for comparison alone, whatever their rank.
  const ranked = [
    ...attempts.filter(({ role }) => role === "attempt"),
    ...attempts.filter(({ role }) => role !== "attempt"),
  ];
  const rest = ranked.length - SHOWN;
  return (
    <div class="leaderboard">
      <h3>Leaderboard</h3>
      <Table
        caption="Attempts, the fewest wrong decisions first"
        rows={isWhole ? ranked : ranked.slice(0, SHOWN)}
        keyOf={({ attempt }) => String(attempt)}
        columns={[
          { head: "Algorithm and settings", cell: (attempt) => <Named attempt={attempt} /> },
          { head: "Wrong", isNumber: true, cell: (attempt) => figureOf(attempt, attempt.falseDecisions, formatCount) },
          { head: "Held-out", isNumber: true, cell: (attempt) => figureOf(attempt, attempt.accuracy, formatPercent) },
          {
            head: "Out-of-fold",
            isNumber: true,
            cell: (attempt) => figureOf(attempt, attempt.outOfFoldAccuracy, formatPercent),
          },
          { head: "Log-loss", isNumber: true, cell: (attempt) => figureOf(attempt, attempt.logLoss, formatFigure) },
          { head: "Time", isNumber: true, cell: ({ seconds }) => formatDuration(seconds) },
        ]}
      />
      {rest > 0 && !isWhole && (
        <p class="more">
          <button type="button" class="small" onClick={() => setWhole(true)}>
            Show {formatAmount(rest, "more attempt")}
          </button>
        </p>
      )}
      <p class="note">
        Held-out: on the fifth of the rows that was kept aside. Out-of-fold: on the other rows, each judged by a model
        that had not seen it; it decides who becomes a finalist. Log-loss: how far off the probabilities are, 0 is
        perfect.
      </p>
    </div>
  );
}

function Named({ attempt: record }: { attempt: AttemptRecord }) {
  const { role, attempt, family, algorithm, settings, status, finalist, version, note } = record;
  return (
    <>
      <FamilyIcon family={family} isFilled={finalist || version !== null} /> {algorithm}
      <Place {...record} />
      <small>
        {role === "attempt" ? `Attempt ${attempt}: ` : "Library baseline, for comparison: "}
        {plainName(settingsInWords(settings), LONGEST_SETTINGS)}
        {note !== null && (status !== "finished" || role === "attempt") && `. ${note}`}
      </small>
    </>
  );
}

function Place({ version, status, finalist }: AttemptRecord) {
  if (version !== null) return <span class={`chip ${version === 1 ? "copper" : "pending"}`}>v{version}</span>;
  if (status === "failed") return <span class="chip failed">Failed</span>;
  if (status === "stopped") return <span class="chip early">Stopped</span>;
  return finalist ? <span class="chip pending">Finalist</span> : null;
}

/** The mark of a family, with its name for those who do not see it. */
export function FamilyIcon({ family, isFilled = true }: { family: AttemptRecord["family"]; isFilled?: boolean }) {
  return (
    <>
      <svg class={`icon ${familyClass(family)}`} viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path class={isFilled ? "mark" : "mark hollow"} d={familyShape(family, 7, 7, 4.6)} />
      </svg>
      <span class="unseen">{family}: </span>
    </>
  );
}

function figureOf({ status, note }: AttemptRecord, value: number | null, format: (value: number) => string) {
  if (value !== null) return format(value);
  return <Undefined reason={note ?? (status === "finished" ? "It was not measured" : `The attempt ${status}`)} />;
}
