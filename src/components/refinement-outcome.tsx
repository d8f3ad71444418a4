// The result of a refinement: before and after, each reading of the blind test, and the decision about every column.

import { columnsViewOf, outcomeOf } from "../api/refinements/refinement-answers.ts";
import type { RefinementParts } from "../browser/resources.ts";
import { formatAmount } from "../common/format.ts";
import { html } from "../common/markup.ts";
import { checkpointsFigure } from "../report/refinement/refinement-checkpoints.ts";
import { decisionsTable, flaggedColumns, removedColumns } from "../report/refinement/refinement-columns.ts";
import {
  beforeAfterFigure,
  comparisonCard,
  expectationCard,
  refinementFigures,
  resultTable,
} from "../report/refinement/refinement-performance.ts";
import { outcomeInWords } from "../report/refinement/refinement-words.ts";
import { Warnings } from "./dataset-profile.tsx";
import { Drawing, DrawnSection } from "./drawing.tsx";
import { Empty } from "./states.tsx";

export function RefinementOutcome({ progress, result, evidence }: RefinementParts) {
  if (result === null) return null;
  if (evidence === null) {
    return (
      <Empty title="There are no pictures of this run">
        <p>
          An earlier version made it and kept no evidence. {formatAmount(result.keptColumns.length, "column")} were
          kept; the files are below.
        </p>
      </Empty>
    );
  }
  const outcome = outcomeOf(progress, result, evidence);
  return (
    <>
      <p class="lead outcome">{outcomeInWords(outcome)}</p>
      <Drawing markup={refinementFigures(outcome)} />
      <div class="cards">
        <section class="card">
          <h2>Is it as good as before?</h2>
          <Drawing markup={comparisonCard(outcome)} />
        </section>
        <section class="card">
          <h2>What can I expect?</h2>
          <Drawing markup={expectationCard(outcome)} />
        </section>
      </div>
      <DrawnSection title="Before and after" markup={html`${beforeAfterFigure(outcome)}${resultTable(outcome)}`} />
      <DrawnSection title="Step by step" markup={checkpointsFigure(outcome)} />
      <DrawnSection
        title="What was removed, and why"
        markup={html`${removedColumns(outcome)}${flaggedColumns(outcome)}`}
      />
      <Warnings warnings={result.warnings} />
      <DrawnSection title="Column by column" markup={decisionsTable(columnsViewOf(outcome, evidence))} />
    </>
  );
}
