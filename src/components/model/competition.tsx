// The competition of a training, during and after it: accuracy by attempt as a picture, and the leaderboard.
import { useState } from "preact/hooks";
import { type CompetitionFacts, competitionChart } from "../../charts/competition-chart.ts";
import { figure, responsive } from "../../charts/pictures.ts";
import { formatAmount } from "../../common/format.ts";
import { html } from "../../common/markup.ts";
import { competitionCaption, competitionLegend, leaderboard } from "../../report/competition.ts";
import { withReasons } from "../../words/finalists.ts";
import { Drawing } from "../drawing.tsx";
import { Empty } from "../states.tsx";

/** Rows of the leaderboard before the rest is asked for. */
const SHOWN = 10;

/** `attempts` come best first, as the API ranks them. `isOver` is true once no more will come. */
export function Competition({ isOver, ...facts }: CompetitionFacts & { isOver: boolean }) {
  const [isWhole, setWhole] = useState(false);
  if (facts.attempts.length === 0) {
    return isOver ? (
      <Empty title="No attempt was made">
        <p>The training ended before the first attempt finished.</p>
      </Empty>
    ) : (
      <Empty title="No attempt has finished yet">
        <p>Each attempt appears here with its accuracy on rows that it has not seen.</p>
      </Empty>
    );
  }
  const explained = isOver ? withReasons(facts.attempts) : facts.attempts;
  const attempts = explained.filter(({ role }) => role === "attempt");
  const libraries = facts.attempts.filter(({ role }) => role === "library baseline");
  const drawing = responsive((width) => competitionChart(facts, width));
  const foldedCount = attempts.length - SHOWN;
  return (
    <>
      <Drawing
        markup={html`${figure(drawing, competitionCaption(isOver), null)}${competitionLegend(libraries.length > 0)}`}
      />
      <h3>Leaderboard</h3>
      <Drawing markup={leaderboard("Leaderboard", isWhole ? attempts : attempts.slice(0, SHOWN), libraries)} />
      {foldedCount > 0 && !isWhole && (
        <p class="more">
          <button type="button" class="small" onClick={() => setWhole(true)}>
            Show {formatAmount(foldedCount, "more attempt")}
          </button>
        </p>
      )}
    </>
  );
}
