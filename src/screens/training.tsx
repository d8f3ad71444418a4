// One training job: how far it is, the competition while its leaderboard fills, and what came of it.
import type { DatasetRecord } from "../api/datasets.ts";
import { useAction } from "../browser/action.ts";
import { datasets, trainings } from "../browser/api.ts";
import { type Loaded, useLoad } from "../browser/loading.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { type TrainingLook, useTraining } from "../browser/training-look.ts";
import { announce } from "../components/announcements.tsx";
import { Competition } from "../components/competition.tsx";
import { confirm } from "../components/dialog.tsx";
import { Facts, Page, Section } from "../components/page.tsx";
import { Progress } from "../components/progress.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, ErrorNote } from "../components/states.tsx";
import { Percent, Undefined } from "../components/words.tsx";
import { formatCount, formatDuration } from "../format.ts";

const ABOVE = { href: linkTo("/trainings"), name: "Training jobs" };

export function Training({ params }: ScreenProps) {
  const key = params["trainingJobKey"] ?? "";
  const loaded = useTraining(key);
  const job = loaded.value?.job;
  const dataset = useDatasetOf(job?.datasetKey);
  const cancel = useAction(async () => {
    const text =
      "The best attempts that have finished by then are made into a model and kept. It cannot be taken up again.";
    if (!(await confirm({ title: "Cancel the training?", text, action: "Cancel the training", isDangerous: true })))
      return;
    await trainings.cancel(key);
    announce("The training was cancelled.");
    loaded.reload();
  });
  const name = dataset.value?.name;
  return (
    <Page
      title={name === undefined ? "Training" : `Training on ${name}`}
      above={ABOVE}
      {...(job !== undefined && {
        mark: <StateBadge state={job.status} />,
        actions: isOver(job.status) ? (
          <Ended job={job} hasDataset={name !== undefined} />
        ) : (
          <button type="button" class="quiet" disabled={cancel.isRunning} onClick={() => cancel.run()}>
            Cancel
          </button>
        ),
      })}
    >
      {cancel.problem !== null && <ErrorNote problem={cancel.problem} />}
      <Await loaded={loaded}>{(look) => <Look {...look} dataset={dataset.value} />}</Await>
    </Page>
  );
}

/** Null where it was deleted: the job does without. */
function useDatasetOf(key: string | undefined): Loaded<DatasetRecord | null> {
  return useLoad(async (signal) => (key === undefined ? null : datasets.get(key, signal)), [key]);
}

function Ended({ job: { modelKey, datasetKey }, hasDataset }: Pick<TrainingLook, "job"> & { hasDataset: boolean }) {
  return (
    <>
      {hasDataset && (
        <a class="button" href={linkTo(`/datasets/${datasetKey}/train`)}>
          Train again
        </a>
      )}
      {modelKey !== null && (
        <a class="button primary" href={linkTo(`/models/${modelKey}`)}>
          Open the model
        </a>
      )}
    </>
  );
}

export function Look({
  job,
  progress,
  attempts,
  isClosing,
  dataset,
}: TrainingLook & { dataset: DatasetRecord | null }) {
  const over = isOver(progress.status);
  const { attemptsTotal, baselinePerformance } = progress;
  const frequent = [...(dataset?.classes ?? [])].sort((a, b) => b.count - a.count)[0]?.label;
  return (
    <>
      {!over && <Advance progress={progress} />}
      {isClosing && <Progress label="Making the best attempts into a model" share={null} />}
      {over && <End job={job} progress={progress} isClosing={isClosing} />}
      <KeyFigures job={job} progress={progress} />
      <Section title="Competition">
        <Competition
          attempts={attempts}
          targetPerformance={job.targetPerformance}
          baseline={
            baselinePerformance === null
              ? null
              : { label: frequent ?? "the most frequent label", accuracy: baselinePerformance }
          }
          {...(!over && attemptsTotal !== null && { attemptsPlanned: axisRoom(attempts.length, attemptsTotal) })}
          isOver={over}
        />
      </Section>
    </>
  );
}

/** The axis grows with the attempts, so that a few of hundreds are not pressed into a corner. */
function axisRoom(attemptCount: number, planned: number): number {
  let room = 20;
  while (room < attemptCount) room *= 2;
  return Math.min(room, planned);
}

function Advance({ progress }: Pick<TrainingLook, "progress">) {
  const { status, attemptsTotal, attemptsCompleted, attemptsFailed, elapsedSeconds, timeLimitSeconds } = progress;
  const { waitingReason } = progress;
  const done = attemptsCompleted + attemptsFailed;
  if (waitingReason !== undefined) return <Progress label={waitingReason} share={null} />;
  if (status === "PENDING") {
    return <Progress label="Waiting until other jobs make room" share={null} />;
  }
  if (attemptsTotal === null) return <Progress label="Reading the table and dealing its rows" share={null} />;
  const isFinishing = done >= attemptsTotal;
  const label = isFinishing
    ? "Confirming the best, and fitting them on all rows"
    : `${formatCount(done)} of ${formatCount(attemptsTotal)} attempts`;
  // The end of its time may come first.
  const share = Math.max(done / attemptsTotal, elapsedSeconds / timeLimitSeconds);
  return (
    <>
      <Progress label={label} share={isFinishing ? null : share} elapsedSeconds={elapsedSeconds} />
      <p class="note">
        It goes on when you leave this page, and ends after {formatDuration(timeLimitSeconds)} at the latest.
      </p>
    </>
  );
}

const KEPT = "The best models so far were kept.";

function End({ job, progress, isClosing }: Pick<TrainingLook, "job" | "progress" | "isClosing">) {
  const { status, errorReason } = progress;
  if (status === "COMPLETED") return null;
  const kept = job.modelKey !== null ? KEPT : isClosing ? "" : "No model was kept.";
  if (status === "FAILED") {
    return (
      <div class="banner failed" role="note">
        <strong>The training failed.</strong>
        <p>{errorReason}</p>
      </div>
    );
  }
  return (
    <div class="banner early" role="note">
      <strong>{status === "CANCELLED" ? "The training was cancelled." : "The training was not completed."}</strong>
      <p>
        {errorReason} {kept}
      </p>
    </div>
  );
}

function KeyFigures({ job, progress }: Pick<TrainingLook, "job" | "progress">) {
  const { bestPerformance, bestFalseDecisions, bestAlgorithm, baselinePerformance, elapsedSeconds } = progress;
  const { attemptsCompleted, attemptsFailed, attemptsTotal } = progress;
  const { achievedPerformance, targetPerformance } = job;
  const none = "No attempt has finished";
  const failed = attemptsFailed === 0 ? "" : `, ${formatCount(attemptsFailed)} failed`;
  return (
    <Facts
      facts={[
        achievedPerformance === null
          ? ["Best so far", <Percent key="best" share={bestPerformance} reason={none} />]
          : ["Accuracy of the champion", <Percent key="best" share={achievedPerformance} reason={none} />],
        [
          "Fewest wrong",
          bestFalseDecisions === null ? <Undefined key="wrong" reason={none} /> : formatCount(bestFalseDecisions),
        ],
        ["Best algorithm", bestAlgorithm ?? <Undefined key="algorithm" reason={none} />],
        [
          "Always the most frequent",
          <Percent key="base" share={baselinePerformance} reason="The table has not been read yet" />,
        ],
        ["Target", <Percent key="target" share={targetPerformance} reason="No target was asked for" />],
        [
          "Attempts",
          `${formatCount(attemptsCompleted)} of ${formatCount(attemptsTotal)}${failed}, ${formatDuration(elapsedSeconds)}`,
        ],
      ]}
    />
  );
}
