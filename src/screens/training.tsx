// One training: its progress, the competition as the leaderboard fills, and how it ended.
import type { ComponentChildren } from "preact";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import type { Training as TrainingRecord } from "../api/training/training.ts";
import { trainings } from "../browser/api.ts";
import { aimFields, settingsFields } from "../browser/forms/aim.ts";
import { relatedFields, relatedInWords, relatedOf } from "../browser/forms/related.ts";
import { type TrainingParts, useDataset, useKeptModel, useTraining } from "../browser/resources.ts";
import { linkTo, type QueryFields, type ScreenProps } from "../browser/router.ts";
import { plainName } from "../charts/markup.ts";
import { ActionButton, LinkButton } from "../components/action-button.tsx";
import { mostFrequent } from "../components/dataset-profile.tsx";
import { Answer } from "../components/model/answer.tsx";
import { Competition } from "../components/model/competition.tsx";
import { Trust } from "../components/model/trust.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, Banner } from "../components/states.tsx";
import { Percent, Undefined } from "../components/words.tsx";
import { formatAmount, formatCount, formatDuration } from "../format.ts";
import { MEASURE_NAMES } from "../words/objective-words.ts";

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
      {...(job !== undefined && {
        mark: <StateBadge state={job.status} />,
        actions: isOver(job.status) ? (
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
        ),
      })}
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

type StateProps = TrainingParts & { dataset: DatasetRecord | null };

/**
 * A training in one of three modes: it runs (or its best attempts are made
 * into a model), it kept a model, or it kept none.
 */
export function TrainingState(parts: StateProps) {
  const isDone = isOver(parts.progress.status) && !parts.isClosing;
  return isDone ? <Ended {...parts} /> : <UnderWay {...parts} />;
}

function UnderWay(parts: StateProps) {
  const { job, progress, isClosing, dataset } = parts;
  const label = labelOf(dataset);
  return (
    <>
      {isClosing ? (
        <>
          <Progress label="Making the best attempts into a model" share={null} />
          <End job={job} progress={progress} isClosing />
        </>
      ) : (
        <Advance progress={progress} />
      )}
      <FiguresSoFar job={job} progress={progress} label={label} />
      {/* Complete only at the end: until then no doubt found says nothing. */}
      {progress.verdict !== null && progress.verdict.doubts.length > 0 && (
        <Trust verdict={progress.verdict} {...advice(parts)} />
      )}
      <Attempts {...parts} label={label} champion={null} />
    </>
  );
}

function Ended(parts: StateProps) {
  const { job, progress, isClosing, dataset } = parts;
  const kept = useKeptModel(job.modelKey);
  const whole = kept.value?.whole ?? null;
  const label = labelOf(dataset);
  const facts = <EndFigures job={job} progress={progress} label={label} />;
  const attempts = <Attempts {...parts} label={label} champion={whole?.model.version ?? null} />;
  return (
    <>
      <End job={job} progress={progress} isClosing={isClosing} />
      {whole !== null && <Answer {...whole} targetPerformance={job.targetPerformance} {...advice(parts)} />}
      {whole === null && !kept.isLoading && facts}
      {job.modelKey === null ? (
        attempts
      ) : (
        <details class="fold">
          <summary>All attempts and their settings</summary>
          {whole !== null && facts}
          {attempts}
        </details>
      )}
    </>
  );
}

function labelOf(dataset: DatasetRecord | null): string {
  return mostFrequent(dataset?.classes ?? []).label || "the most frequent label";
}

/** The settings that remedies for doubts start from. */
function advice({ job, dataset }: StateProps) {
  return {
    related: relatedOf(job),
    datasetKey: dataset === null ? null : job.datasetKey,
    settings: settingsFields(job),
  };
}

interface AttemptsProps extends Pick<TrainingParts, "job" | "progress" | "attempts" | "isClosing"> {
  /** The most frequent one. */
  label: string;
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
  if (waitingReason !== undefined) return <Progress label={waitingReason} share={null} />;
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

function End({ job, progress, isClosing }: Pick<TrainingParts, "job" | "progress" | "isClosing">) {
  const { status, errorReason } = progress;
  if (status === "COMPLETED") return null;
  if (status === "FAILED") {
    return (
      <Banner tone="failed" title="The training failed.">
        <p>{errorReason}</p>
      </Banner>
    );
  }
  const kept = job.modelKey !== null ? "The best models so far were kept." : isClosing ? "" : "No model was kept.";
  return (
    <Banner
      tone="early"
      title={status === "CANCELLED" ? "The training was cancelled." : "The training was not completed."}
    >
      <p>
        {errorReason} {kept}
      </p>
    </Banner>
  );
}

type FiguresProps = Pick<TrainingParts, "job" | "progress"> & { label: string };

const NO_ATTEMPT = "No attempt has finished";

/** While attempts are made: the best of them by the held-out rows, which need not become the champion. */
function FiguresSoFar({ job, progress, label }: FiguresProps) {
  const { bestPerformance, bestFalseDecisions, bestAlgorithm } = progress;
  const algorithm = bestAlgorithm ?? <Undefined key="algorithm" reason={NO_ATTEMPT} />;
  return (
    <Facts
      facts={[
        ["Best so far", <Percent key="best" share={bestPerformance} reason={NO_ATTEMPT} />],
        [
          "It decides wrong",
          bestFalseDecisions === null ? (
            <Undefined key="wrong" reason={NO_ATTEMPT} />
          ) : (
            formatAmount(bestFalseDecisions, "held-out row")
          ),
        ],
        ["Its algorithm", algorithm],
        ...sharedFigures({ job, progress, label }),
      ]}
    />
  );
}

/** Once all is done: nothing of single attempts, of which only the champion counts. */
function EndFigures({ job, progress, label }: FiguresProps) {
  return (
    <Facts
      facts={[
        [
          "Accuracy of the champion",
          <Percent key="champion" share={job.achievedPerformance} reason="No model was kept" />,
        ],
        ...sharedFigures({ job, progress, label }),
      ]}
    />
  );
}

function sharedFigures({ job, progress, label }: FiguresProps): [string, ComponentChildren][] {
  const { baselinePerformance, attemptsCompleted, attemptsFailed, attemptsTotal, elapsedSeconds } = progress;
  const failed = attemptsFailed === 0 ? "" : `, ${formatCount(attemptsFailed)} failed`;
  return [
    [
      `Always answering ${plainName(label, 32)}`,
      <Percent key="base" share={baselinePerformance} reason="The table has not been read yet" />,
    ],
    ...(job.objective === "accuracy" ? [] : [["Decisions aim at", MEASURE_NAMES[job.objective]] as [string, string]]),
    ["Target", <Percent key="target" share={job.targetPerformance} reason="No target was set" />],
    [
      "Attempts",
      `${formatCount(attemptsCompleted)} of ${formatCount(attemptsTotal)}${failed}, ${formatDuration(elapsedSeconds)}`,
    ],
  ];
}
