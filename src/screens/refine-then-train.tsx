// The middle of the newcomer's path where columns are refined first: the
// server refines, then trains; the page looks on.
import { useEffect } from "preact/hooks";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { refinements, trainings } from "../browser/api.ts";
import { changesFrom, relatedOf } from "../browser/forms/related.ts";
import { isTrainingToCome, type RefinementParts, useRefinement } from "../browser/resources.ts";
import { linkTo } from "../browser/router.ts";
import { DEFAULT_SCALING_FACTOR } from "../common/limits.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { ActionButton } from "../components/action-button.tsx";
import { Progress } from "../components/progress.tsx";
import { RefinementAdvance, RefinementFigures, Trail } from "../components/refinement-advance.tsx";
import { Path, show } from "../components/starting/start-path.tsx";
import { Await, Banner } from "../components/states.tsx";
import { isOver } from "../words/state-words.ts";
import { Ended } from "./refinement.tsx";

interface RefinedProps {
  refinementKey: string;
  datasetKey: string;
  /** Null until it is loaded, and where it was deleted. */
  dataset: DatasetRecord | null;
}

export function Refined(props: RefinedProps) {
  const loaded = useRefinement(props.refinementKey);
  return <Await loaded={loaded}>{(parts) => <Refining {...props} {...parts} reload={loaded.reload} />}</Await>;
}

type RefiningProps = RefinedProps & RefinementParts & { reload(): void };

/** The server refines, then starts the training: this page only looks on, and goes to the training once it is there. */
function Refining({ run, progress, result, refinementKey, datasetKey, dataset, reload }: RefiningProps) {
  const training = run.plannedTraining?.trainingJobKey ?? null;
  const isToCome = isTrainingToCome(run);
  const isDone = progress.state === "REFINEMENT_COMPLETED";
  useEffect(() => {
    if (training !== null) show(datasetKey, { refinement: refinementKey, training }, true);
  }, [training]);
  return (
    <>
      <Path at={isDone ? "Train" : "Refine"} isRefined />
      {!isOver(progress.state) && <RefinementAdvance progress={progress} />}
      {isDone && isToCome && <Progress label="Preparing the training on the kept columns" share={null} />}
      <Ended progress={progress} hasResult={result !== null} />
      {isDone && <NotTrained run={run} />}
      <div class="actions spaced">
        {(!isOver(progress.state) || isToCome) && <CancelBoth run={run} progress={progress} reload={reload} />}
        {isDone && !isToCome && training === null && (
          <ActionButton
            word="Train on the kept columns"
            look="primary"
            act={() => refinements.planTraining(refinementKey, { scalingFactor: widthOf(run) })}
            onDone={reload}
          />
        )}
        {isOver(progress.state) && !isToCome && dataset?.status === "COMPLETED" && (
          <ActionButton
            word="Train on all columns"
            act={async () => {
              const { trainingJobKey } = await trainings.start(datasetKey, {
                scalingFactor: widthOf(run),
                labelColumn: dataset.labelColumn!,
                ...changesFrom(relatedOf(dataset), relatedOf(run)),
              });
              show(datasetKey, { refinement: null, training: trainingJobKey });
            }}
          />
        )}
        {isToCome && (
          <span class="note">
            You may leave this page, or close it: the server refines, then trains. The{" "}
            <a href={linkTo("/")}>first page</a> shows where it is.
          </span>
        )}
      </div>
      <RefinementFigures progress={progress} />
      <Trail progress={progress} />
    </>
  );
}

/** Why a refinement that was completed is not followed by a training. */
function NotTrained({ run: { plannedTraining: plan } }: Pick<RefinementParts, "run">) {
  if (plan?.status !== "CANCELLED" && plan?.status !== "FAILED") return null;
  const isFailed = plan.status === "FAILED";
  return (
    <Banner
      tone={isFailed ? "failed" : "early"}
      title={isFailed ? "The training could not be started." : "The training was cancelled before it started."}
    >
      {plan.errorReason !== null && <p>{withReadersNumbers(plan.errorReason)}</p>}
    </Banner>
  );
}

/** Cancels the refinement, and with it the training; once it is completed, the training alone. */
function CancelBoth({ run, progress, reload }: Pick<RefiningProps, "run" | "progress" | "reload">) {
  const key = run.featureRefinementKey;
  const isDone = isOver(progress.state);
  return (
    <ActionButton
      key={String(isDone)}
      word="Cancel"
      isDisabled={!isDone && progress.cancelRequested === true}
      question={{
        title: isDone ? "Cancel the training?" : "Cancel the refinement?",
        text: isDone
          ? "The refinement and its result stay."
          : "What it has found so far is lost, and no training follows. You can train on all columns instead.",
        action: isDone ? "Cancel the training" : "Cancel the refinement",
        isDangerous: true,
      }}
      act={async () => (isDone ? refinements.cancelPlannedTraining(key) : refinements.cancel(key))}
      news={isDone ? "The training was cancelled." : "The refinement was cancelled."}
      onDone={reload}
    />
  );
}

function widthOf({ plannedTraining }: RefinementParts["run"]): number {
  return plannedTraining?.scalingFactor ?? DEFAULT_SCALING_FACTOR;
}
