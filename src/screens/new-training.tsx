// Starting a training on a dataset: what to aim for, and how wide to search.
import { useState } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets, trainings } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { TextField } from "../components/field.tsx";
import { Facts, Page } from "../components/page.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";
import { formatAmount, formatCount, formatPercent } from "../format.ts";
import { DEFAULT_SCALING_FACTOR, MOST_SCALING_FACTOR } from "../limits.ts";

export function NewTraining({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const loaded = useLoad((signal) => datasets.get(key, signal), [key]);
  const name = loaded.value?.name ?? "Dataset";
  return (
    <Page
      title={`Train on ${name}`}
      above={{ href: linkTo(`/datasets/${key}`), name }}
      lead="Models of three families compete. Each is judged by a fifth of the rows, which none of them learned from; the best three are kept."
    >
      <Await loaded={loaded}>
        {(dataset) =>
          dataset.status === "COMPLETED" ? (
            <Settings dataset={dataset} />
          ) : (
            <Empty title="This dataset cannot be trained on yet">
              <p>
                <a href={linkTo(`/datasets/${key}`)}>Its page</a> says how far it is.
              </p>
            </Empty>
          )
        }
      </Await>
    </Page>
  );
}

function Settings({ dataset }: { dataset: DatasetRecord }) {
  const { datasetKey, rowCount, columnCount, recommendedThreshold, classes } = dataset;
  const recommended = recommendedThreshold === undefined ? "" : percentText(recommendedThreshold);
  const [target, setTarget] = useState(recommended);
  const [scaling, setScaling] = useState(String(DEFAULT_SCALING_FACTOR));
  const start = useAction(async () => {
    const { trainingJobKey } = await trainings.start(datasetKey, {
      scalingFactor: Number(scaling),
      // Left alone, it is the recommendation to its last digit.
      ...(target !== "" && target !== recommended && { performanceThreshold: Number(target) / 100 }),
    });
    goTo(linkTo(`/trainings/${trainingJobKey}`), { replace: true });
  });
  const frequent = [...classes].sort((a, b) => b.count - a.count)[0];
  const majority = frequent === undefined || !rowCount ? null : frequent.count / rowCount;
  return (
    <>
      <Facts
        facts={[
          ["Rows", formatCount(rowCount)],
          ["Columns", formatCount(columnCount)],
          ["Classes", formatCount(classes.length)],
          ["Always the most frequent", formatPercent(majority)],
        ]}
      />
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          start.run();
        }}
      >
        <TextField
          label="Target accuracy, in percent"
          help={<TargetHelp recommended={recommended} frequent={frequent?.label ?? ""} majority={majority} />}
          error={start.problem?.errorOf("performanceThreshold")}
          type="number"
          min={0}
          max={100}
          step="any"
          value={target}
          onValue={setTarget}
        />
        <TextField
          label="Search width (scaling factor)"
          help={<ScalingHelp scaling={Number(scaling)} />}
          error={start.problem?.errorOf("scalingFactor")}
          type="number"
          required
          min={0}
          max={MOST_SCALING_FACTOR}
          step={1}
          value={scaling}
          onValue={setScaling}
        />
        {start.problem !== null && <ErrorNote problem={start.problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={start.isRunning}>
            {start.isRunning ? "Starting…" : "Start the training"}
          </button>
          <a class="button quiet" href={linkTo(`/datasets/${datasetKey}`)}>
            Not now
          </a>
        </div>
      </form>
    </>
  );
}

interface TargetHelpProps {
  recommended: string;
  frequent: string;
  majority: number | null;
}

function TargetHelp({ recommended, frequent, majority }: TargetHelpProps) {
  return (
    <>
      The training ends with the first round in which a model reaches it.{" "}
      {recommended === ""
        ? "Left empty, there is no target: the whole plan is gone through and the best is kept."
        : `The refinement recommends ${recommended}%, which is what it reached itself; left empty, that counts.`}{" "}
      Far above what the table allows, it only makes the search run to the end of its time.
      {majority !== null && (
        <>
          {" "}
          Always answering <bdi>{frequent}</bdi> is right for {formatPercent(majority)}: a target has to be above that
          to mean anything.
        </>
      )}
    </>
  );
}

function ScalingHelp({ scaling }: { scaling: number }) {
  const isNumber = Number.isInteger(scaling) && scaling >= 0 && scaling <= MOST_SCALING_FACTOR;
  return (
    <>
      {isNumber && <strong>{formatAmount(Math.max(scaling + 1, 3), "attempt")} will be planned. </strong>}
      One more than this number, and never fewer than one per family. {DEFAULT_SCALING_FACTOR} does for most tables;
      more finds a little more and takes longer in proportion.
    </>
  );
}

/** A share in percent, with as many digits as say something. */
function percentText(share: number): string {
  return String(Number((share * 100).toFixed(2)));
}
