// The threshold of a version of two labels: a slider over what it decides on
// the held-out rows, and the choice of another.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Estimate } from "../../../engine/judging/metrics.ts";
import { thresholdOfCosts } from "../../../engine/judging/thresholds.ts";
import type { ModelDetails } from "../../api/models/model-details.ts";
import { models } from "../../browser/api.ts";
import { thresholdCurves } from "../../charts/threshold-curves.ts";
import { figuresAt, heldOutRows, pointAt, type ThresholdFigures } from "../../charts/threshold-figures.ts";
import { formatCount, formatFigure, formatInterval, formatPercent } from "../../common/format.ts";
import { plainName } from "../../common/markup.ts";
import { ActionButton } from "../action-button.tsx";
import { announce } from "../announcements.tsx";
import { Drawing } from "../drawing.tsx";
import { Field, SelectField, TextField } from "../field.tsx";
import { Section } from "../page.tsx";
import { orDash } from "../words.tsx";

const LABEL_LENGTH = 32;
const COST = { type: "number", min: 0, step: "any" } as const;

type Version = ModelDetails["versions"][number];
/** A version of two labels whose curve is known. */
type Thresholded = Version & {
  threshold: number;
  trainedThreshold: number;
  thresholds: NonNullable<Version["thresholds"]>;
};

interface ThresholdProps {
  details: ModelDetails;
  /** The version that is shown first. */
  champion: number;
  /** Called after another threshold was stored. */
  onChanged(): void;
}

/** Null where there are more than two labels, and for models of earlier versions. */
export function ThresholdSection({ details, champion, onChanged }: ThresholdProps) {
  const [shown, setShown] = useState(champion);
  const versions = details.versions.filter(isThresholded);
  const version = versions.find((version) => version.version === shown) ?? versions[0];
  if (version === undefined || details.positiveLabel === null) return null;
  const label = plainName(details.positiveLabel, LABEL_LENGTH);
  return (
    <Section title="Threshold">
      <p class="note">
        A row is predicted as <bdi>{label}</bdi> where the model gives that label a higher probability than this. The
        figures are measured on the {formatCount(details.holdout.rows)} held-out rows, with 95% intervals.
      </p>
      {versions.length > 1 && (
        <SelectField label="Version" value={version.version} onValue={(value) => setShown(Number(value))}>
          {versions.map((each) => (
            <option key={each.version} value={each.version}>
              v{each.version}, {each.algorithm}
            </option>
          ))}
        </SelectField>
      )}
      <Chooser
        key={`${version.version} ${version.threshold}`}
        details={details}
        version={version}
        label={label}
        onChanged={onChanged}
      />
    </Section>
  );
}

interface ChooserProps {
  details: ModelDetails;
  version: Thresholded;
  label: string;
  onChanged(): void;
}

function Chooser({ details, version, label, onChanged }: ChooserProps) {
  const { thresholds: curve, threshold: inUse, trainedThreshold } = version;
  const [chosen, setChosen] = useState(inUse);
  const given = costsOf(details);
  const [missed, setMissed] = useState(String(given.missed));
  const [falseAlarm, setFalseAlarm] = useState(String(given.falseAlarm));
  const costs = { missed: numberOf(missed), falseAlarm: numberOf(falseAlarm) };
  const rows = heldOutRows(details.holdout, details.positiveLabel, version.heldOutPerformance);
  const at = pointAt(curve, chosen);
  const cheapest = thresholdOfCosts(costs.missed, costs.falseAlarm);
  const store = async (threshold: number | null) => {
    const stored = await models.setThreshold(details.modelKey, version.version, threshold);
    announce(`v${version.version} now predicts ${label} above ${formatPercent(stored.threshold)}.`);
    onChanged();
  };
  return (
    <div class="threshold">
      <div class="threshold-choice">
        <Field label="Threshold" help={<>Slide to see what another one would decide.</>}>
          {(control) => (
            <input
              {...control}
              type="range"
              min={0}
              max={curve.thresholds.length - 1}
              step={1}
              value={at}
              aria-valuetext={formatPercent(chosen)}
              onInput={({ currentTarget }) => setChosen(curve.thresholds[Number(currentTarget.value)]!)}
            />
          )}
        </Field>
        <div class="threshold-costs">
          <TextField label={`A missed ${label} costs`} {...COST} value={missed} onValue={setMissed} />
          <TextField label={`A false ${label} costs`} {...COST} value={falseAlarm} onValue={setFalseAlarm} />
        </div>
        <p class="note">
          By these costs a row should be predicted as <bdi>{label}</bdi> above {formatPercent(cheapest)}.{" "}
          <button type="button" class="link" onClick={() => setChosen(cheapest)}>
            Look at it
          </button>
        </p>
        <FigureTable
          inUse={{ ...figuresAt(curve, pointAt(curve, inUse), rows, costs), threshold: inUse }}
          chosen={{ ...figuresAt(curve, at, rows, costs), threshold: chosen }}
          label={label}
        />
        <p class="row-actions">
          {chosen !== inUse && (
            <ActionButton word={`Use ${formatPercent(chosen)} from now on`} look="primary" act={() => store(chosen)} />
          )}
          {inUse !== trainedThreshold && (
            <ActionButton
              word={`Back to the training's ${formatPercent(trainedThreshold)}`}
              look="small"
              act={() => store(null)}
            />
          )}
        </p>
        <p class="note">
          Files, single rows and downloads of this version follow it; finished predictions stay as they are.
        </p>
      </div>
      <Drawing markup={thresholdCurves({ curve, rows, positiveLabel: label, inUse, looked: chosen })} />
    </div>
  );
}

interface FigureTableProps {
  inUse: ThresholdFigures;
  chosen: ThresholdFigures;
  label: string;
}

function FigureTable({ inUse, chosen, label }: FigureTableProps) {
  const figures: [ComponentChildren, (figures: ThresholdFigures) => ComponentChildren][] = [
    ["Threshold", ({ threshold }) => formatPercent(threshold)],
    ["Rows flagged", ({ flagged }) => shareOf(flagged)],
    [
      <>
        Precision of <bdi>{label}</bdi>
      </>,
      ({ precision }) => shareOf(precision),
    ],
    [
      <>
        Recall of <bdi>{label}</bdi>
      </>,
      ({ recall }) => shareOf(recall),
    ],
    [
      "Mean cost of a row",
      ({ cost: { mean, low, high } }) => (
        <Interval mean={formatFigure(mean)} interval={`[${formatFigure(low)}, ${formatFigure(high)}]`} />
      ),
    ],
    ["Missed, falsely flagged", (each) => `${formatCount(each.missed)}, ${formatCount(each.falseAlarms)}`],
  ];
  return (
    <table class="threshold-figures">
      <thead>
        <tr>
          <th scope="col">On held-out rows</th>
          <th scope="col" class="num">
            In use
          </th>
          <th scope="col" class="num">
            By the slider
          </th>
        </tr>
      </thead>
      <tbody>
        {figures.map(([term, value], at) => (
          <tr key={at}>
            <th scope="row">{term}</th>
            <td class="num">{value(inUse)}</td>
            <td class="num">{value(chosen)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shareOf(share: Estimate | null): ComponentChildren {
  return orDash("Nothing is flagged, or no row has the label", share, (known) => (
    <Interval mean={formatPercent(known.mean)} interval={formatInterval(known)} />
  ));
}

/** On a narrow screen the interval has a line of its own. */
function Interval({ mean, interval }: { mean: string; interval: string }) {
  return (
    <>
      {mean} <span class="whole">{interval}</span>
    </>
  );
}

function isThresholded(version: Version): version is Thresholded {
  return version.thresholds !== null && version.threshold !== null && version.trainedThreshold !== null;
}

/** The costs of the training, else 1 for both mistakes. */
function costsOf({ costs, classes, positiveLabel }: ModelDetails) {
  const positive = classes.findIndex(({ label }) => label === positiveLabel);
  return { missed: costs?.[positive]?.[1 - positive] ?? 1, falseAlarm: costs?.[1 - positive]?.[positive] ?? 1 };
}

/** 0 while something else is typed. */
function numberOf(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : 0;
}
