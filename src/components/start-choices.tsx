// The one button of the newcomer's path, and the few choices before it.
import { useState } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { refinements, trainings } from "../browser/api.ts";
import { withFreeName } from "../browser/follow-refinement.ts";
import { useLoad } from "../browser/loading.ts";
import { linkTo } from "../browser/router.ts";
import { formatAmount, formatPercent } from "../format.ts";
import { DEFAULT_SCALING_FACTOR, MOST_SCALING_FACTOR } from "../limits.ts";
import { TextField } from "./field.tsx";
import { StateBadge } from "./state-badge.tsx";
import { ErrorNote } from "./states.tsx";

/** From so many columns on, some are likely to be noise. */
const MANY_COLUMNS = 12;

/** What was trained on the dataset before, for who comes back by another way; nothing where nothing was. */
export function Earlier({ datasetKey }: { datasetKey: string }) {
  const { value } = useLoad((signal) => trainings.ofDataset(datasetKey, { offset: 0, limit: 1 }, signal), [datasetKey]);
  const [newest] = value?.trainingJobs ?? [];
  if (newest === undefined) return null;
  return (
    <p class="note earlier">
      You have trained on this table before: <StateBadge state={newest.status} />{" "}
      <a href={linkTo(`/start/${datasetKey}`, { training: newest.trainingJobKey })}>See the newest training</a>
    </p>
  );
}

/** What stands in the address, so that it holds whenever somebody comes back. */
export interface Begun {
  refinement: string | null;
  training: string | null;
  /** The scaling factor, for the training that follows a refinement. */
  width: number;
}

export function StartChoices({ dataset, onBegun }: { dataset: DatasetRecord; onBegun(begun: Begun): void }) {
  const { datasetKey, columnCount, classes } = dataset;
  const [isRefined, setRefined] = useState((columnCount ?? 0) > MANY_COLUMNS);
  const [scaling, setScaling] = useState(String(DEFAULT_SCALING_FACTOR));
  const begin = useAction(async () => {
    const width = Number(scaling);
    if (isRefined) {
      const { featureRefinementKey } = await withFreeName(nameOfRun(dataset), (name) =>
        refinements.refineDataset(datasetKey, { name }),
      );
      onBegun({ refinement: featureRefinementKey, training: null, width });
    } else {
      const { trainingJobKey } = await trainings.start(datasetKey, { scalingFactor: width });
      onBegun({ refinement: null, training: trainingJobKey, width });
    }
  });
  const total = Math.max(
    1,
    classes.reduce((sum, { count }) => sum + count, 0),
  );
  const most = Math.max(0, ...classes.map(({ count }) => count));
  return (
    <form
      class="go"
      onSubmit={(event) => {
        event.preventDefault();
        begin.run();
      }}
    >
      <fieldset class="field">
        <legend>Which columns?</legend>
        <label class="choice">
          <input type="radio" name="columns" checked={!isRefined} onChange={() => setRefined(false)} />
          <span>
            <strong>Use them all</strong>: the quickest way to a model
          </span>
        </label>
        <label class="choice">
          <input type="radio" name="columns" checked={isRefined} onChange={() => setRefined(true)} />
          <span>
            <strong>Refine first</strong>: find the columns that carry signal, then train on those alone. Takes longer;
            worth it where there are many columns, or some that you are not sure of.
          </span>
        </label>
      </fieldset>
      <details>
        <summary>How long to search</summary>
        <TextField
          label="Search width"
          help={`${formatAmount(Math.max(3, (Number(scaling) || 0) + 1), "model")} will be tried. More find a little more, and take longer in proportion.`}
          error={begin.problem?.errorOf("scalingFactor")}
          type="number"
          required
          min={0}
          max={MOST_SCALING_FACTOR}
          step={1}
          value={scaling}
          onValue={setScaling}
        />
      </details>
      {begin.problem !== null && <ErrorNote problem={begin.problem} />}
      <div class="actions">
        <button type="submit" class="primary large" disabled={begin.isRunning}>
          {begin.isRunning ? "Starting…" : "Find the best model"}
        </button>
        <span class="note">To be beaten: always answering the most frequent class, {formatPercent(most / total)}.</span>
      </div>
    </form>
  );
}

/** Names of runs are of plain letters. */
function nameOfRun({ name }: DatasetRecord): string {
  return name.replace(/[^A-Za-z0-9 _-]/g, "-");
}
