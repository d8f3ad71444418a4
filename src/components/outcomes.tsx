// Labels that came after a prediction: a form to send them, and what they say beside the confirmed accuracy.
import { useState } from "preact/hooks";
import type { PredictionOutcomesAnswer } from "../api/predictions/outcomes.ts";
import type { PredictionRecord } from "../api/predictions/prediction-files.ts";
import { useAction } from "../browser/action.ts";
import { predictions } from "../browser/api.ts";
import { useFileColumns } from "../browser/forms/use-file-columns.ts";
import { useLoad } from "../browser/loading.ts";
import { confusionFigure } from "../charts/confusion.ts";
import { formatAmount, formatEstimate } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { ActionButton } from "./action-button.tsx";
import { announce } from "./announcements.tsx";
import { Drawing } from "./drawing.tsx";
import { FileDrop, Form } from "./field.tsx";
import { Section } from "./page.tsx";
import { ColumnField } from "./starting/column-field.tsx";
import { Sending, useSending } from "./starting/sending.tsx";
import { Time } from "./words.tsx";

/** For a prediction that is COMPLETED. */
export function Outcomes({ prediction }: { prediction: PredictionRecord }) {
  const { predictionKey: key, predictionResultUrl } = prediction;
  const { value, reload } = useLoad((signal) => predictions.outcomes(key, signal), [key]);
  if (value === null) return null;
  const { outcomes } = value;
  const isKept = predictionResultUrl !== null;
  if (outcomes === null && !isKept) return null;
  return (
    <Section title="True labels">
      {outcomes !== null && <Told answer={value} outcomes={outcomes} reload={reload} />}
      {isKept && (
        <details key={outcomes?.addedOn ?? "none"}>
          <summary>{outcomes === null ? "Add the true labels" : "Replace them"}</summary>
          <Send prediction={prediction} reload={reload} />
        </details>
      )}
    </Section>
  );
}

interface ToldProps {
  answer: PredictionOutcomesAnswer;
  outcomes: NonNullable<PredictionOutcomesAnswer["outcomes"]>;
  reload(): void;
}

function Told({ answer: { predictionKey, version, labels, ofVersion }, outcomes, reload }: ToldProps) {
  const { accuracy, rowCount, unknownLabels, withoutLabel, unmatched, confusion, addedOn } = outcomes;
  const confirmed = ofVersion.objective === "accuracy" ? ofVersion.confirmed : null;
  const notes = [
    ...(unknownLabels > 0
      ? [`${formatAmount(unknownLabels, "row")} with a label that the model does not know, so wrong`]
      : []),
    ...(withoutLabel > 0 ? [`${formatAmount(withoutLabel, "row")} without a label so far`] : []),
    ...(unmatched > 0 ? [`${formatAmount(unmatched, "label")} of other rows`] : []),
  ];
  return (
    <>
      <p>
        {formatEstimate(accuracy)} of {formatAmount(rowCount, "row")} are predicted right
        {confirmed !== null && `; ${formatEstimate(confirmed)} was confirmed in training`}
        {notes.length > 0 && ` (${notes.join("; ")})`}. Added <Time at={addedOn} />.
      </p>
      <p>
        <strong>
          Version {version}, {formatAmount(ofVersion.rowCount, "labelled row")} of{" "}
          {formatAmount(ofVersion.predictionCount, "prediction")}:
        </strong>{" "}
        {withReadersNumbers(ofVersion.message)} <span class="note">{ofVersion.condition}</span>
      </p>
      <Drawing markup={confusionFigure({ confusion, of: "the true labels" }, labels)} />
      <div class="actions">
        <ActionButton
          word="Delete the labels"
          look="small"
          question={{
            title: "Delete the labels?",
            text: "Their file goes, and they count nowhere any more. The prediction stays.",
            action: "Delete the labels",
            isDangerous: true,
          }}
          act={() => predictions.removeOutcomes(predictionKey)}
          news="The labels were deleted."
          onDone={reload}
        />
      </div>
    </>
  );
}

function Send({ prediction, reload }: { prediction: PredictionRecord; reload(): void }) {
  const [file, setFile] = useState<File | null>(null);
  const [labelColumn, setLabelColumn] = useState("");
  const [keyColumn, setKeyColumn] = useState(prediction.keyColumn ?? "");
  const sending = useSending();
  const names = useFileColumns(file, true);
  const send = useAction(async () => {
    const choices = { labelColumn, keyColumn };
    await sending.sendBy(file!, (way) => predictions.addOutcomes(prediction.predictionKey, file!, choices, way));
    announce("The labels were added.");
    setFile(null);
    reload();
  });
  return (
    <Form action={send} submit="Add the labels" submitting="Counting…" isReady={file !== null}>
      <FileDrop
        label="File of labels"
        help="CSV with a header. A label may be empty while it is not known. Labels that were added before are replaced."
        file={file}
        onFile={setFile}
      />
      <ColumnField
        label="Column of the labels"
        help="What the rows really were."
        none="The model's label, or the only column"
        emptyFor="the model's label, or the only column"
        columns={{ names }}
        value={labelColumn}
        onValue={setLabelColumn}
      />
      <ColumnField
        label="Rows are found by"
        help="A column of both files whose values name the rows."
        none="Their order: one row for each, as they were predicted"
        emptyFor="the order of the predicted rows"
        columns={{ names }}
        value={keyColumn}
        onValue={setKeyColumn}
      />
      <Sending {...sending} />
    </Form>
  );
}
