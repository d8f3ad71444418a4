// The button that starts the newcomer's training, and the few choices before it.
import { useEffect, useState } from "preact/hooks";
import type { DatasetRecord } from "../../api/datasets/datasets.ts";
import { useAction } from "../../browser/action.ts";
import { refinements, trainings } from "../../browser/api.ts";
import { withFreeName } from "../../browser/forms/free-name.ts";
import { changesFrom, relatedOf } from "../../browser/forms/related.ts";
import { useLoad } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";
import { formatAmount, formatPercent } from "../../common/format.ts";
import { DEFAULT_SCALING_FACTOR, MOST_SCALING_FACTOR } from "../../common/limits.ts";
import { featuresOf, mostFrequentLabel } from "../dataset-profile.tsx";
import { Choice, Form, TextField } from "../field.tsx";
import { StateBadge } from "../state-badge.tsx";
import { RelatedRows } from "./related-rows.tsx";
import type { Begun } from "./start-path.tsx";

/** With more columns than this, some are likely to be noise, and refining first is suggested. */
const MANY_COLUMNS = 12;

/** Leads to the newest training on the dataset, if there is one. */
export function Earlier({ datasetKey }: { datasetKey: string }) {
  const { value } = useLoad((signal) => trainings.ofDataset(datasetKey, { offset: 0, limit: 1 }, signal), [datasetKey]);
  const [newest] = value?.items ?? [];
  if (newest === undefined) return null;
  return (
    <p class="note earlier">
      You have trained on this table before: <StateBadge state={newest.status} />{" "}
      <a href={linkTo(`/start/${datasetKey}`, { training: newest.trainingJobKey })}>See the newest training</a>
    </p>
  );
}

interface StartChoicesProps {
  dataset: DatasetRecord;
  /** False while another label is being stored: nothing may start with the one before. */
  isReady: boolean;
  onBegun(begun: Begun): void;
  /** Called where the server refused because the dataset has another label by now. */
  onLabelChanged(): void;
}

export function StartChoices({ dataset, isReady, onBegun, onLabelChanged }: StartChoicesProps) {
  const { datasetKey, columnCount, classes, labelColumn } = dataset;
  const [isRefined, setRefined] = useState((columnCount ?? 0) > MANY_COLUMNS);
  const [scaling, setScaling] = useState(String(DEFAULT_SCALING_FACTOR));
  const inherited = relatedOf(dataset);
  const [related, setRelated] = useState(inherited);
  const begin = useAction(async () => {
    const scalingFactor = Number(scaling);
    // The server refuses another label than the one that is shown: another page may have changed it.
    const settings = { labelColumn: labelColumn!, ...changesFrom(inherited, related) };
    if (isRefined) {
      const { featureRefinementKey } = await withFreeName(nameOfRun(dataset), (name) =>
        refinements.refineDataset(datasetKey, { name, ...settings, thenTrain: { scalingFactor } }),
      );
      onBegun({ refinement: featureRefinementKey, training: null });
    } else {
      const { trainingJobKey } = await trainings.start(datasetKey, { scalingFactor, ...settings });
      onBegun({ refinement: null, training: trainingJobKey });
    }
  });
  const isLabelChanged = begin.problem?.code === "LABEL_CHANGED";
  useEffect(() => {
    if (isLabelChanged) onLabelChanged();
  }, [isLabelChanged]);
  const frequent = mostFrequentLabel(classes);
  return (
    <Form
      action={begin}
      submit="Find the best model"
      submitting="Starting…"
      isReady={isReady}
      class="go"
      beside={
        isReady && (
          <span class="note">
            Predicts <bdi>{labelColumn}</bdi>. Always answering <bdi>{frequent.label}</bdi> would be right for{" "}
            {formatPercent(frequent.share)}.
          </span>
        )
      }
    >
      <fieldset class="field">
        <legend>Which columns?</legend>
        <Choice name="columns" checked={!isRefined} onChange={() => setRefined(false)}>
          <strong>Use them all</strong>: the quickest way to a model.
        </Choice>
        <Choice name="columns" checked={isRefined} onChange={() => setRefined(true)}>
          <strong>Refine first</strong>: find the columns that help, then train on those alone. It takes longer, and is
          worth it if there are many columns or you doubt some of them.
        </Choice>
      </fieldset>
      <details>
        <summary>How long to search</summary>
        <TextField
          label="Search width"
          help={`${formatAmount(Math.max(3, (Number(scaling) || 0) + 1), "model")} will be tried. More may be slightly better, and take longer in proportion.`}
          error={begin.errorOf("scalingFactor")}
          type="number"
          required
          min={0}
          max={MOST_SCALING_FACTOR}
          step={1}
          value={scaling}
          onValue={setScaling}
        />
      </details>
      <RelatedRows
        related={related}
        onChange={(part) => setRelated((before) => ({ ...before, ...part }))}
        columns={{ names: featuresOf(dataset) }}
        errorOf={begin.errorOf}
      />
    </Form>
  );
}

/** Names of runs allow fewer characters than those of datasets. */
function nameOfRun({ name }: DatasetRecord): string {
  return name.replace(/[^A-Za-z0-9 _-]/g, "-");
}
