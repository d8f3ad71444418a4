// One training: its progress, the competition as the leaderboard fills, and how it ended.
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import type { Training as TrainingRecord } from "../api/training/training.ts";
import { trainings } from "../browser/api.ts";
import { aimFields, settingsFields } from "../browser/forms/aim.ts";
import { relatedFields, relatedInWords, relatedOf } from "../browser/forms/related.ts";
import { type TrainingParts, useDataset, useKeptModel, useTraining } from "../browser/resources.ts";
import { linkTo, type QueryFields, type ScreenProps } from "../browser/router.ts";
import { formatAmount, formatCount, formatDuration, formatPercent } from "../common/format.ts";
import { plainName } from "../common/markup.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { ActionButton, LinkButton } from "../components/action-button.tsx";
import { mostFrequentLabel } from "../components/dataset-profile.tsx";
import { Answer } from "../components/model/answer.tsx";
import { Competition } from "../components/model/competition.tsx";
import type { TrainAgain } from "../components/model/judged.tsx";
import { useReplacement } from "../components/model/replacement.tsx";
import { Trust } from "../components/model/trust.tsx";
import { type Fact, Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { Await, Banner } from "../components/states.tsx";
import { orDash } from "../components/words.tsx";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { isOver } from "../words/state-words.ts";

const ABOVE = { href: linkTo("/trainings"), name: "Training jobs" };

export function Training({ params }: ScreenProps) {
  const key = params["trainingJobKey"] ?? "";
  const loaded = useTraining(key);
  const job = loaded.value?.job;
  const dataset = useDataset(job?.datasetKey);
  const name = dataset.value?.name;
  return (
    <Page
      title={name === undefined ? "Training" : `Training on ${name}`}
      above={ABOVE}
      mark={job && <StateBadge state={job.status} />}
      actions={
        job &&
        (isOver(job.status) ? (
          <>
            {name !== undefined && (
              <LinkButton word="Train again" href={linkTo(`/datasets/${job.datasetKey}/train`, againFields(job))} />
            )}
            {job.modelKey !== null && (
              <LinkButton word="Open the model" href={linkTo(`/models/${job.modelKey}`)} look="primary" />
            )}
          </>
        ) : (
          <CancelTraining trainingKey={key} onCancelled={loaded.reload} />
        ))
      }
    >
      <Await loaded={loaded}>{(parts) => <TrainingState {...parts} dataset={dataset.value} />}</Await>
    </Page>
  );
}

/** The settings of the training as the form of another takes them; nothing where it had none. */
function againFields(job: TrainingRecord): QueryFields {
  const related = relatedOf(job);
  return { ...aimFields(job), ...(relatedInWords(related) === "" ? {} : relatedFields(related)) };
}

export function CancelTraining({ trainingKey, onCancelled }: { trainingKey: string; onCancelled(): void }) {
  return (
    <ActionButton
      word="Cancel"
      look="quiet"
      question={{
        title: "Cancel the training?",
        text: "The best attempts finished by then are made into a model. It cannot be resumed.",
        action: "Cancel the training",
        isDangerous: true,
      }}
      act={() => trainings.cancel(trainingKey)}
      news="The training was cancelled."
      onDone={onCancelled}
    />
  );
}

interface StateProps extends TrainingParts {
  dataset: DatasetRecord | null;
  /** The most frequent one, or words for it. */
  label: string;
}

/**
 * A training in one of three modes: it runs (or its best attempts are made
 * into a model), it kept a model, or it kept none.
 */
export function TrainingState(parts: Omit<StateProps, "label">) {
  const label = mostFrequentLabel(parts.dataset?.classes ?? []).label || "the most frequent label";
  const isDone = isOver(parts.progress.status) && !parts.isClosing;
  return isDone ? <Ended {...parts} label={label} /> : <UnderWay {...parts} label={label} />;
}

function UnderWay(parts: StateProps) {
  const { progress, isClosing } = parts;
  return (
    <>
      {isClosing ? (
        <>
          <Progress label="Making the best attempts into a model" share={null} />
          <End {...parts} />
        </>
      ) : (
        <Advance progress={progress} />
      )}
      <FiguresSoFar {...parts} />
      {/* Complete only at the end: until then no doubt found says nothing. */}
      {progress.verdict !== null && progress.verdict.doubts.length > 0 && (
        <Trust verdict={progress.verdict} {...advice(parts)} />
      )}
      <Attempts {...parts} champion={null} />
    </>
  );
}

function Ended(parts: StateProps) {
  const { job } = parts;
  const keptModel = useKeptModel(job.modelKey);
  const wholeModel = keptModel.value?.whole ?? null;
  const replacement = useReplacement(wholeModel?.model);
  const facts = <EndFigures {...parts} />;
  const attempts = <Attempts {...parts} champion={wholeModel?.model.version ?? null} />;
  return (
    <>
      <End {...parts} />
      {wholeModel !== null && (
        <Answer
          {...wholeModel}
          replacement={replacement}
          targetPerformance={job.targetPerformance}
          {...advice(parts)}
        />
      )}
      {wholeModel === null && !keptModel.isLoading && facts}
      {job.modelKey === null ? (
        attempts
      ) : (
        <details class="fold">
          <summary>All attempts and their settings</summary>
          {wholeModel !== null && facts}
          {attempts}
        </details>
      )}
    </>
  );
}

/** The settings that remedies for doubts start from. */
function advice({ job, dataset }: StateProps): TrainAgain {
  return {
    related: relatedOf(job),
    datasetKey: dataset === null ? null : job.datasetKey,
    settings: settingsFields(job),
  };
}

interface AttemptsProps extends StateProps {
  /** The version that predictions run against; null while there is none. */
  champion: number | null;
}

function Attempts({ job, progress, attempts, isClosing, label, champion }: AttemptsProps) {
  const over = isOver(progress.status);
  const { attemptsTotal, baselinePerformance } = progress;
  return (
    <Section title="Competition">
      <Competition
        attempts={attempts}
        targetPerformance={job.targetPerformance}
        baseline={baselinePerformance === null ? null : { label, accuracy: baselinePerformance }}
        champion={champion}
        {...(!over && attemptsTotal !== null && { attemptsPlanned: axisRoom(attempts.length, attemptsTotal) })}
        isOver={over && !isClosing}
      />
    </Section>
  );
}

/** The axis grows with the attempts, so the first few of hundreds do not crowd in a corner. */
function axisRoom(attemptCount: number, planned: number): number {
  let room = 20;
  while (room < attemptCount) room *= 2;
  return Math.min(room, planned);
}

function Advance({ progress }: Pick<TrainingParts, "progress">) {
  const { status, attemptsTotal, attemptsCompleted, attemptsFailed, elapsedSeconds, timeLimitSeconds } = progress;
  const { waitingReason } = progress;
  const done = attemptsCompleted + attemptsFailed;
  if (waitingReason !== undefined) return <Progress label={withReadersNumbers(waitingReason)} share={null} />;
  if (status === "PENDING") return <Progress label="Waiting for other jobs to finish" share={null} />;
  if (attemptsTotal === null) return <Progress label="Reading the table and splitting its rows" share={null} />;
  const isFinishing = done >= attemptsTotal;
  const label = isFinishing
    ? "Confirming the best models, then fitting them on all rows"
    : `${formatCount(done)} of ${formatCount(attemptsTotal)} attempts`;
  // The time limit may end it before the last attempt.
  const share = Math.max(done / attemptsTotal, elapsedSeconds / timeLimitSeconds);
  return (
    <>
      <Progress label={label} share={isFinishing ? null : share} elapsedSeconds={elapsedSeconds} />
      <p class="note">You may leave this page: it keeps running, for {formatDuration(timeLimitSeconds)} at most.</p>
    </>
  );
}

function End({ job, progress, isClosing }: StateProps) {
  const { status, errorReason } = progress;
  if (status === "COMPLETED") return null;
  if (status === "FAILED") {
    return (
      <Banner tone="failed" title="The training failed.">
        <p>{withReadersNumbers(errorReason ?? "")}</p>
      </Banner>
    );
  }
  const keptWords = job.modelKey !== null ? "The best models so far were kept." : isClosing ? "" : "No model was kept.";
  return (
    <Banner
      tone="early"
      title={status === "CANCELLED" ? "The training was cancelled." : "The training was not completed."}
    >
      <p>
        {withReadersNumbers(errorReason ?? "")} {keptWords}
      </p>
    </Banner>
  );
}

const NO_ATTEMPT = "No attempt has finished";

/** While attempts are made: the best of them by the held-out rows, which need not become the champion. */
function FiguresSoFar(parts: StateProps) {
  const { bestPerformance, bestFalseDecisions, bestAlgorithm } = parts.progress;
  return (
    <Facts
      facts={[
        ["Best so far", orDash(NO_ATTEMPT, bestPerformance, formatPercent)],
        ["It decides wrong", orDash(NO_ATTEMPT, bestFalseDecisions, (count) => formatAmount(count, "held-out row"))],
        ["Its algorithm", orDash(NO_ATTEMPT, bestAlgorithm, (algorithm) => algorithm)],
        ...sharedFigures(parts),
      ]}
    />
  );
}

/** Once all is done: nothing of single attempts, of which only the champion counts. */
function EndFigures(parts: StateProps) {
  return (
    <Facts
      facts={[
        ["Accuracy of the champion", orDash("No model was kept", parts.job.achievedPerformance, formatPercent)],
        ...sharedFigures(parts),
      ]}
    />
  );
}

function sharedFigures({ job, progress, label }: StateProps): (Fact | false)[] {
  const { baselinePerformance, attemptsCompleted, attemptsFailed, attemptsTotal, elapsedSeconds } = progress;
  const failed = attemptsFailed === 0 ? "" : `, ${formatCount(attemptsFailed)} failed`;
  return [
    [
      `Always answering ${plainName(label, 32)}`,
      orDash("The table has not been read yet", baselinePerformance, formatPercent),
    ],
    job.objective !== "accuracy" && ["Decisions aim at", MEASURE_NAMES[job.objective]],
    ["Target", orDash("No target was set", job.targetPerformance, formatPercent)],
    [
      "Attempts",
      `${formatCount(attemptsCompleted)} of ${formatCount(attemptsTotal)}${failed}, ${formatDuration(elapsedSeconds)}`,
    ],
  ];
}
