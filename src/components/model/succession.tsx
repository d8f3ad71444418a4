// The line of a model: training again with labelled rows, how the successor does
// beside the champion, and which of them answers.
import { useState } from "preact/hooks";
import { FEWEST_LABELLED } from "../../../engine/successor/kept-rows.ts";
import type { ModelLine } from "../../api/successors/model-line.ts";
import type { Successor } from "../../api/successors/successor-answer.ts";
import { useAction } from "../../browser/action.ts";
import { models } from "../../browser/api.ts";
import { type Loaded, useLive } from "../../browser/loading.ts";
import { linkTo } from "../../browser/router.ts";
import { formatAmount, formatCount, formatPercent } from "../../common/format.ts";
import { withReadersNumbers } from "../../common/numbers.ts";
import { ActionButton } from "../action-button.tsx";
import { announce } from "../announcements.tsx";
import { Choice, Form, TextField } from "../field.tsx";
import { Section } from "../page.tsx";
import { Progress } from "../progress.tsx";
import { Table } from "../table.tsx";
import { Time, timeInWords } from "../words.tsx";

export interface Successors {
  line: ModelLine;
  newest: Successor | null;
}

const STEPS = {
  JOINING: "Joining the labelled rows with the training rows",
  READING: "Reading the joined rows",
  TRAINING: "Training on the joined rows",
  COMPARING: "Comparing both models on the rows that were kept aside",
} as const;

interface SuccessionProps {
  modelKey: string;
  successors: Loaded<Successors>;
  /** Whether its newest rows or their labels speak against the model. */
  isAlarming: boolean;
}

export function useSuccessors(modelKey: string): Loaded<Successors> {
  return useLive<Successors>(
    async (signal) => {
      // The line last, so that a successor that has ended stands in it.
      const newest = await models.newestSuccessor(modelKey, signal);
      return { line: await models.line(modelKey, signal), newest };
    },
    [modelKey],
    ({ newest }) => (newest === null || !isUnderWay(newest) ? null : 1_500),
  );
}

/** Nothing for a model without labels and without a line. */
export function Succession({ modelKey, successors: { value, reload }, isAlarming }: SuccessionProps) {
  if (value === null) return null;
  const { line, newest } = value;
  const { labelledRows, models: all } = line;
  if (labelledRows === 0 && newest === null && all.length < 2) return null;
  const isDue = isAlarming && newest === null && labelledRows >= FEWEST_LABELLED;
  return (
    <Section title="Successors">
      <div class="succession">
        {newest !== null && <Newest successor={newest} reload={reload} />}
        {all.length > 1 && <Models line={line} newest={newest} reload={reload} />}
        {labelledRows > 0 && (newest === null || !isUnderWay(newest)) && (
          <Again modelKey={modelKey} reload={reload} labelledRows={labelledRows} isDue={isDue} />
        )}
      </div>
    </Section>
  );
}

function isUnderWay({ status }: Successor): boolean {
  return status in STEPS;
}

function Newest({ successor, reload }: { successor: Successor; reload(): void }) {
  const { status, successorKey, errorReason, comparison, createdOn, challenger, promotedOn } = successor;
  if (isUnderWay(successor)) {
    return (
      <>
        <Progress label={STEPS[status as keyof typeof STEPS]} share={null} />
        <div class="actions">
          <ActionButton
            word="Stop it"
            look="small"
            act={() => models.removeSuccessor(successorKey)}
            news="The successor was stopped."
            onDone={reload}
          />
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        The newest successor was asked for on <Time at={createdOn} />.{" "}
        {status === "FAILED" && `It failed: ${withReadersNumbers(errorReason ?? "the log says why")}`}
        {status === "CANCELLED" && `It was stopped. ${withReadersNumbers(errorReason ?? "")}`}
        {promotedOn !== null && "It answered at once, by its rule."}
      </p>
      {comparison !== null && (
        <ul>
          {comparison.statements.map((statement) => (
            <li key={statement}>{withReadersNumbers(statement)}</li>
          ))}
        </ul>
      )}
      <Lineage successor={successor} />
      {challenger !== null && comparison !== null && (
        <p>
          <a href={linkTo("/models/compare", { a: successor.champion.modelKey, b: challenger.modelKey })}>
            Both models side by side
          </a>
          , by the rows that each training held out. Those are not the same, so what is said above tells more.
        </p>
      )}
    </>
  );
}

/** The rows that it learned from. */
function Lineage({ successor }: { successor: Successor }) {
  const { sourceDatasetKey, datasetKey, trainRows, learnedRows, keptRows, sources, trainingJobKey } = successor;
  if (datasetKey === null) return null;
  return (
    <p class="note">
      It learned from <a href={linkTo(`/datasets/${datasetKey}`)}>a dataset</a> of {formatAmount(trainRows ?? 0, "row")}{" "}
      of <a href={linkTo(`/datasets/${sourceDatasetKey}`)}>the champion’s</a> and{" "}
      {formatAmount(learnedRows ?? 0, "labelled row")}; {formatCount(keptRows)} were kept aside. They came with{" "}
      {sources.map(({ predictionKey, fileName, learnedRows: learned, keptRows: kept }, at) => (
        <>
          {at > 0 && ", "}
          <a key={predictionKey} href={linkTo(`/predictions/${predictionKey}`)}>
            <bdi>{fileName ?? "a prediction"}</bdi>
          </a>{" "}
          ({formatCount(learned)} learned from, {formatCount(kept)} kept aside)
        </>
      ))}
      . {trainingJobKey !== null && <a href={linkTo(`/trainings/${trainingJobKey}`)}>Its training</a>}
    </p>
  );
}

function Models({ line, newest, reload }: Successors & { reload(): void }) {
  const { shadowModelKey, firstModelKey, models: all } = line;
  return (
    <>
      <p>
        What is asked of <a href={linkTo(`/models/${firstModelKey}`)}>the first model</a> is answered by the one that is
        chosen here. Each also answers at its own address. One that decides beside it is given the single rows that are
        asked of the first model, and no files; its decisions are counted and not answered. Held-out figures are of
        other rows for each model: they do not tell which is better.
      </p>
      <Table
        caption="Models of the line"
        rows={all}
        keyOf={({ modelKey }) => modelKey}
        columns={[
          {
            head: "Model",
            cell: ({ modelKey, name, createdOn }) => (
              <>
                <a href={linkTo(`/models/${modelKey}`)}>
                  {name === null ? <Time at={createdOn} /> : <bdi>{name}</bdi>}
                </a>
                <Role of={modelKey} in={newest} />
              </>
            ),
          },
          { head: "Held out", isNumber: true, cell: ({ testPerformance }) => formatPercent(testPerformance) },
          {
            head: "Answers",
            cell: ({ modelKey, isAnswering, name, createdOn }) =>
              isAnswering ? (
                <strong>Answers now</strong>
              ) : (
                <ActionButton
                  word="Let it answer"
                  look="small"
                  question={{
                    title: "Let this model answer?",
                    text: `From now on ${name ?? `the model of ${timeInWords(createdOn)}`} answers what is asked of the first model. You can move back at any time.`,
                    action: "Let it answer",
                  }}
                  act={() => models.promote(modelKey)}
                  news="It answers now."
                  onDone={reload}
                />
              ),
          },
          {
            head: "Beside",
            cell: ({ modelKey, isAnswering }) => {
              const isBeside = modelKey === shadowModelKey;
              if (isAnswering && !isBeside) return "–";
              return (
                <ActionButton
                  word={isBeside ? "Stop deciding beside" : "Let it decide beside"}
                  look="small"
                  act={() => models.setShadow(firstModelKey, isBeside ? null : modelKey)}
                  news={isBeside ? "No model decides beside it." : "It decides the same rows now, without answering."}
                  onDone={reload}
                />
              );
            },
          },
        ]}
      />
    </>
  );
}

/** Who is meant by the words of the comparison. */
function Role({ of, in: newest }: { of: string; in: Successor | null }) {
  if (newest === null || newest.comparison === null) return null;
  if (of === newest.champion.modelKey) return <small>the champion of the comparison</small>;
  return of === newest.challenger?.modelKey ? <small>the challenger</small> : null;
}

interface AgainProps {
  modelKey: string;
  labelledRows: number;
  isDue: boolean;
  reload(): void;
}

function Again({ modelKey, labelledRows, isDue, reload }: AgainProps) {
  const [oldRows, setOldRows] = useState("");
  const [isByRule, setByRule] = useState(false);
  const action = useAction(async () => {
    await models.succeed(modelKey, {
      promote: isByRule ? "WHEN_BETTER" : "BY_HAND",
      ...(oldRows !== "" && { oldRows: Number(oldRows) }),
    });
    announce("The successor is under way.");
    reload();
  });
  return (
    <details open={isDue}>
      <summary>Train again with {formatAmount(labelledRows, "labelled row")}</summary>
      <Form action={action} submit="Train again with these rows" submitting="Starting…">
        <p class="note">
          Rows whose labels came later join the training rows, those that the champion has not learned from; it takes{" "}
          {formatCount(FEWEST_LABELLED)}. The newest three tenths are kept aside, at least 50, and both models are
          compared by them.
        </p>
        <TextField
          label="Training rows to keep"
          help="The last ones of the champion’s dataset; empty for all. Where the columns no longer tell the label as they did, many old rows outvote few new ones."
          type="number"
          min={0}
          value={oldRows}
          onValue={setOldRows}
        />
        <Choice checked={isByRule} onChange={setByRule}>
          Let it answer at once where it is better by the model’s objective, beyond chance
        </Choice>
      </Form>
    </details>
  );
}
