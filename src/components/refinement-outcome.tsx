// What came of a refinement: before and after, readings of the blind test, and every column with decision, reason and evidence.

import { columnsViewOf, type RefinementParts, summaryOf } from "../browser/refinement-account.ts";
import { html } from "../charts/markup.ts";
import { formatCount } from "../format.ts";
import { checkpointsFigure } from "../report/refinement-checkpoints.ts";
import { decisionsTable, flaggedColumns, removedColumns } from "../report/refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  performanceTable,
  refinementFigures,
} from "../report/refinement-performance.ts";
import { outcomeInWords } from "../report/refinement-words.ts";
import { Warnings } from "./dataset-profile.tsx";
import { Drawing } from "./drawing.tsx";
import { Section } from "./page.tsx";
import { Empty } from "./states.tsx";

export function RefinementOutcome(parts: RefinementParts) {
  const { result, evidence } = parts;
  if (result === null) return null;
  if (evidence === null) {
    return (
      <Empty title="There are no pictures of this run">
        <p>
          It was made by a version that kept no evidence. Its files are here all the same:{" "}
          {formatCount(result.keptColumns.length)} columns were kept.
        </p>
      </Empty>
    );
  }
  const summary = summaryOf(parts, result, evidence);
  const flagged = flaggedColumns(summary);
  return (
    <>
      <p class="lead outcome">{outcomeInWords(summary)}</p>
      <Drawing markup={refinementFigures(summary)} />
      <div class="cards">
        <section class="card">
          <h2>Is it as good as before?</h2>
          <Drawing markup={comparisonCard(summary)} />
        </section>
        <section class="card">
          <h2>What can I expect?</h2>
          <Drawing markup={expectationCard(summary)} />
        </section>
      </div>
      <Section title="Before and after">
        <Drawing markup={html`${beforeAfterFigure(summary)}${performanceTable(summary)}`} />
      </Section>
      <Section title="Step by step">
        <Drawing markup={checkpointsFigure(summary)} />
      </Section>
      <Section title="What was removed, and why">
        <Drawing markup={html`${removedColumns(summary)}${flagged}`} />
      </Section>
      <Warnings warnings={result.warnings} />
      <Section title="Column by column">
        <Drawing markup={decisionsTable(columnsViewOf(summary, evidence))} />
      </Section>
    </>
  );
}
