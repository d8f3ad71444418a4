// Asks for the aim of a training's decisions: accuracy, rare classes, or low costs, with the costs of wrong decisions.
import { useState } from "preact/hooks";
import type { Objective } from "../../../engine/judging/objective.ts";
import { type Aim, costsOfLabels, costText, readCosts } from "../../browser/forms/aim.ts";
import { plainName } from "../../common/markup.ts";
import { SelectField, TextAreaField, TextField } from "../field.tsx";

const NAMES: Readonly<Record<Objective, string>> = {
  accuracy: "Few wrong decisions (accuracy)",
  "balanced-accuracy": "Every class alike (balanced accuracy)",
  f1: "Precision and recall of every class (mean F1)",
  cost: "Low costs of wrong decisions",
};
const LABEL_LENGTH = 32;

interface AimChoiceProps {
  aim: Aim;
  labels: readonly string[];
  /** `costs` null beside the objective "cost" is what cannot be sent yet. */
  onChange(aim: Aim): void;
  errorOf(field: string): string | undefined;
}

export function AimChoice({ aim, labels, onChange, errorOf }: AimChoiceProps) {
  const Costs = labels.length === 2 ? LabelCosts : PairCosts;
  return (
    <>
      <SelectField
        label="Decisions aim at"
        help="Versions are ranked by it. Probabilities stay as they are; what is decided by them differs."
        error={errorOf("objective")}
        value={aim.objective}
        onValue={(value) => {
          const objective = value as Objective;
          const costs = labels.map((actual) => ({ actual, predicted: null, cost: 1 }));
          onChange({ objective, costs: objective === "cost" && labels.length === 2 ? costs : null });
        }}
      >
        {Object.entries(NAMES).map(([objective, name]) => (
          <option key={objective} value={objective}>
            {name}
          </option>
        ))}
      </SelectField>
      {aim.objective === "cost" && <Costs aim={aim} labels={labels} onChange={onChange} error={errorOf("costs")} />}
    </>
  );
}

type CostsProps = Omit<AimChoiceProps, "errorOf"> & { error: string | undefined };

/** For two labels: a cost for missing each. */
function LabelCosts({ aim, labels, onChange, error }: CostsProps) {
  const costOfLabel = (label: string) => aim.costs?.find(({ actual }) => actual === label)?.cost ?? 1;
  const [typed, setTyped] = useState(new Map(labels.map((label) => [label, String(costOfLabel(label))])));
  return (
    <div class="cost-fields">
      {labels.map((label, at) => (
        <TextField
          key={label}
          label={`A ${plainName(label, LABEL_LENGTH)} predicted as ${plainName(labels[1 - at]!, LABEL_LENGTH)} costs`}
          type="number"
          min={0}
          step="any"
          required
          error={at === 0 ? error : undefined}
          value={typed.get(label) ?? ""}
          onValue={(text) => {
            const next = new Map(typed).set(label, text);
            setTyped(next);
            onChange({ ...aim, costs: costsOfLabels(next) });
          }}
        />
      ))}
    </div>
  );
}

/** For more labels: one line for each cost that differs from 1. */
function PairCosts({ aim, labels, onChange, error }: CostsProps) {
  const [text, setText] = useState((aim.costs ?? []).map(costText).join("\n"));
  const [first, second] = labels.map((label) => plainName(label, LABEL_LENGTH));
  return (
    <TextAreaField
      label="Costs of wrong decisions, one per line"
      help={
        <>
          <code>{first}=5</code>: a missed {first} costs 5. <code>{`${first}:${second}=5`}</code>: only where it is
          predicted as {second}. All others cost 1.
        </>
      }
      error={
        error ?? (text.trim() !== "" && aim.costs === null ? "Some line is not a label, =, and a number." : undefined)
      }
      rows={4}
      required
      value={text}
      onValue={(value) => {
        setText(value);
        onChange({ ...aim, costs: readCosts(value.split("\n"), labels) });
      }}
    />
  );
}
