// Starting a training on a dataset: the target accuracy, and how many models to try.
import { useState } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { useAction } from "../browser/action.ts";
import { trainings } from "../browser/api.ts";
import { aimIn, FOR_ACCURACY, requestOf } from "../browser/forms/aim.ts";
import { changesFrom, relatedIn, relatedOf } from "../browser/forms/related.ts";
import { useLiveDataset } from "../browser/resources.ts";
import { goTo, linkTo, place, type ScreenProps } from "../browser/router.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { DEFAULT_SCALING_FACTOR, MOST_SCALING_FACTOR } from "../common/limits.ts";
import { LinkButton } from "../components/action-button.tsx";
import { featuresOf, mostFrequentLabel } from "../components/dataset-profile.tsx";
import { Form, TextField } from "../components/field.tsx";
import { Facts, Page } from "../components/page.tsx";
import { AimChoice } from "../components/starting/aim-choice.tsx";
import { RelatedRows } from "../components/starting/related-rows.tsx";
import { Await, Empty } from "../components/states.tsx";

export function NewTraining({ params }: ScreenProps) {
  const key = params["datasetKey"] ?? "";
  const loaded = useLiveDataset(key);
  const name = loaded.value?.name ?? "Dataset";
  return (
    <Page
      title={`Train on ${name}`}
      above={{ href: linkTo(`/datasets/${key}`), name }}
      lead="Many models compete. Each is tested on a fifth of the rows that it has not seen; the best three are kept."
    >
      <Await loaded={loaded}>
        {(dataset) =>
          dataset.status === "COMPLETED" ? (
            <Settings key={place.value.query.toString()} dataset={dataset} />
          ) : (
            <Empty title="This dataset is not ready for training">
              <p>
                <a href={linkTo(`/datasets/${key}`)}>Its page</a> says why.
              </p>
            </Empty>
          )
        }
      </Await>
    </Page>
  );
}

function Settings({ dataset }: { dataset: DatasetRecord }) {
  const { query } = place.value;
  const { datasetKey, rowCount, columnCount, recommendedThreshold, classes } = dataset;
  const [scaling, setScaling] = useState(query.get("width") ?? String(DEFAULT_SCALING_FACTOR));
  const inherited = relatedOf(dataset);
  const [related, setRelated] = useState(relatedIn(query) ?? inherited);
  const changes = changesFrom(inherited, related);
  const labels = classes.map(({ label }) => label);
  const [aim, setAim] = useState(aimIn(query, labels) ?? FOR_ACCURACY);
  const isForAccuracy = aim.objective === "accuracy";
  // A target that was reached on other splits or columns says nothing of these.
  const isAsReached = Object.keys(changes).length === 0;
  // In percent, with two decimals at most.
  const reached = recommendedThreshold === undefined ? "" : String(Number((recommendedThreshold * 100).toFixed(2)));
  const recommended = isAsReached ? reached : "";
  const [typed, setTyped] = useState<string | null>(null);
  const target = typed ?? recommended;
  const start = useAction(async () => {
    const { trainingJobKey } = await trainings.start(datasetKey, {
      scalingFactor: Number(scaling),
      labelColumn: dataset.labelColumn!,
      // If it was not changed, the server takes the recommendation with all its digits.
      ...(isForAccuracy && target !== "" && target !== recommended && { performanceThreshold: Number(target) / 100 }),
      ...requestOf(aim),
      ...changes,
    });
    goTo(linkTo(`/trainings/${trainingJobKey}`), { replace: true });
  });
  const frequent = mostFrequentLabel(classes);
  return (
    <>
      <Facts
        facts={[
          ["Predicts", <bdi key="label">{dataset.labelColumn}</bdi>],
          ["Rows", formatCount(rowCount)],
          ["Columns", formatCount(columnCount)],
          ["Classes", formatCount(classes.length)],
          ["Guessing is right for", formatPercent(frequent.share)],
        ]}
      />
      <Form
        action={start}
        submit="Start the training"
        submitting="Starting…"
        isReady={aim.objective !== "cost" || aim.costs !== null}
        beside={<LinkButton word="Not now" href={linkTo(`/datasets/${datasetKey}`)} look="quiet" />}
      >
        <AimChoice aim={aim} labels={labels} onChange={setAim} errorOf={start.errorOf} />
        {isForAccuracy && (
          <TargetField
            {...{ reached, recommended, frequent, target }}
            error={start.errorOf("performanceThreshold")}
            onChange={setTyped}
          />
        )}
        <WidthField scaling={scaling} error={start.errorOf("scalingFactor")} onChange={setScaling} />
        <RelatedRows
          related={related}
          onChange={(changes) => setRelated((before) => ({ ...before, ...changes }))}
          columns={{ names: featuresOf(dataset) }}
          errorOf={start.errorOf}
          isOpen={query.has("related")}
        />
      </Form>
    </>
  );
}

interface FieldProps {
  error: string | undefined;
  onChange(text: string): void;
}

interface TargetProps extends FieldProps {
  target: string;
  /** By the refinement, in percent; empty where there was none. */
  reached: string;
  /** The recommended target, in percent; empty unless it was reached with the settings of this form. */
  recommended: string;
  frequent: ReturnType<typeof mostFrequentLabel>;
}

function TargetField({ target, reached, recommended, frequent, error, onChange }: TargetProps) {
  const help = (
    <>
      The training stops early once a model reaches it.{" "}
      {recommended === ""
        ? "Leave it empty to try all models and keep the best."
        : `The refinement reached ${recommended}%; leave it empty to aim for that.`}{" "}
      {reached !== recommended && "What the refinement reached was measured otherwise than asked for below. "}
      Always answering <bdi>{frequent.label}</bdi> is right for {formatPercent(frequent.share)}, so aim higher.
    </>
  );
  return (
    <TextField
      label="Target accuracy, in percent"
      help={help}
      error={error}
      type="number"
      min={0}
      max={100}
      step="any"
      value={target}
      onValue={onChange}
    />
  );
}

function WidthField({ scaling, error, onChange }: FieldProps & { scaling: string }) {
  const factor = Number(scaling);
  const isFactor = Number.isInteger(factor) && factor >= 0 && factor <= MOST_SCALING_FACTOR;
  const help = (
    <>
      {isFactor && <strong>{formatAmount(Math.max(factor + 1, 3), "attempt")} will be planned. </strong>}
      {DEFAULT_SCALING_FACTOR} suits most tables. More attempts find slightly better models and take longer in
      proportion.
    </>
  );
  return (
    <TextField
      label="Search width (scaling factor)"
      help={help}
      error={error}
      type="number"
      required
      min={0}
      max={MOST_SCALING_FACTOR}
      step={1}
      value={scaling}
      onValue={onChange}
    />
  );
}
