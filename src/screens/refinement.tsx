// One refinement: its progress, its decision about every column, and the files and datasets to make of it.
import { useState } from "preact/hooks";
import type { RefinementProgress } from "../api/refinements/refinement-progress.ts";
import { useAction } from "../browser/action.ts";
import { datasets, refinements } from "../browser/api.ts";
import { type RefinementParts, useRefinement } from "../browser/resources.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { formatBytes } from "../common/format.ts";
import { withReadersNumbers } from "../common/numbers.ts";
import { ActionButton, DeleteButton, Download } from "../components/action-button.tsx";
import { Dialog, DialogButton } from "../components/dialog.tsx";
import { Form, TextField } from "../components/field.tsx";
import { Page, Section } from "../components/page.tsx";
import { Performances, RefinementAdvance, RefinementFigures, Trail } from "../components/refinement-advance.tsx";
import { RefinementOutcome } from "../components/refinement-outcome.tsx";
import { LONGEST_NAME } from "../components/starting/new-dataset.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { Await, Banner } from "../components/states.tsx";
import { isOver } from "../words/state-words.ts";

const ABOVE = { href: linkTo("/refinements"), name: "Refinements" };

export function Refinement({ params }: ScreenProps) {
  const loaded = useRefinement(params["featureRefinementKey"] ?? "");
  const parts = loaded.value;
  return (
    <Page
      title={parts?.run.name ?? "Refinement"}
      above={ABOVE}
      mark={parts && <StateBadge state={parts.progress.state} />}
      actions={parts && <Actions parts={parts} reload={loaded.reload} />}
    >
      <Await loaded={loaded}>{(value) => <Body {...value} />}</Await>
    </Page>
  );
}

function Actions({ parts: { run, progress }, reload }: { parts: RefinementParts; reload(): void }) {
  const { featureRefinementKey: key, name } = run;
  return (
    <>
      {isOver(progress.state) ? (
        <DeleteButton
          title={`Delete ${name}?`}
          text="It leaves your list and its name is free again. Datasets made of it stay."
          files="refinement"
          remove={() => refinements.remove(key)}
          news={`${name} was deleted.`}
          list="/refinements"
        />
      ) : (
        <ActionButton
          word="Cancel"
          look="quiet"
          isDisabled={progress.cancelRequested === true}
          question={{
            title: `Cancel ${name}?`,
            text: "What it has found so far is lost. The files that were sent stay until the run is deleted.",
            action: "Cancel the run",
            isDangerous: true,
          }}
          act={() => refinements.cancel(key)}
          onDone={reload}
        />
      )}
      {progress.state === "REFINEMENT_COMPLETED" && (
        <DialogButton word="Make a dataset" look="primary">
          {(close) => <MakeDataset refinementKey={key} runName={name} onClose={close} />}
        </DialogButton>
      )}
    </>
  );
}

interface MakeDatasetProps {
  refinementKey: string;
  runName: string;
  onClose(): void;
}

function MakeDataset({ refinementKey, runName, onClose }: MakeDatasetProps) {
  const [name, setName] = useState(runName.slice(0, LONGEST_NAME));
  const make = useAction(async () => {
    const { datasetKey } = await datasets.createOfRefinement(refinementKey, { name });
    goTo(linkTo(`/datasets/${datasetKey}`));
  });
  return (
    <Dialog title="Make a dataset" onClose={onClose}>
      <p>The rows of TRAIN with the kept columns, ready for training. Its recommended target is set.</p>
      <Form action={make} submit="Make the dataset" onCancel={onClose}>
        <TextField
          label="Name"
          help="3 to 30 characters."
          error={make.errorOf("name")}
          required
          minLength={3}
          maxLength={LONGEST_NAME}
          value={name}
          onValue={setName}
        />
      </Form>
    </Dialog>
  );
}

function Body(parts: RefinementParts) {
  const { progress, result } = parts;
  return (
    <>
      <Follows {...parts} />
      {isOver(progress.state) ? (
        <Ended progress={progress} hasResult={result !== null} />
      ) : (
        <>
          <RefinementAdvance progress={progress} />
          {progress.waitingReason !== undefined && <p class="note">{withReadersNumbers(progress.waitingReason)}</p>}
          <p class="note">You may leave this page: it keeps running.</p>
        </>
      )}
      {result === null ? (
        <>
          <RefinementFigures progress={progress} />
          <Performances progress={progress} />
        </>
      ) : (
        <>
          <RefinementOutcome {...parts} />
          <Files {...parts} />
        </>
      )}
      <Trail progress={progress} />
    </>
  );
}

/** The training that follows; nothing where none was planned. */
function Follows({ run: { plannedTraining: plan } }: RefinementParts) {
  switch (plan?.status) {
    case undefined:
      return null;
    case "STARTED":
      return (
        <p>
          A training on the kept columns followed.{" "}
          <a href={linkTo(`/trainings/${plan.trainingJobKey}`)}>See the training</a>
        </p>
      );
    case "CANCELLED":
    case "FAILED":
      return (
        <p>
          No training followed{plan.status === "CANCELLED" && ": it was cancelled"}.{" "}
          {withReadersNumbers(plan.errorReason ?? "")}
        </p>
      );
    default:
      return <p>As soon as there is a result, the server trains on the kept columns.</p>;
  }
}

/** How it ended; nothing while it runs, or if it completed. */
export function Ended({ progress, hasResult }: { progress: RefinementProgress; hasResult: boolean }) {
  const { state, errorReason } = progress;
  if (!isOver(state) || state === "REFINEMENT_COMPLETED") return null;
  const [title, rest] =
    state === "ERROR"
      ? ["The refinement failed.", "Correct what is wrong, then start a new refinement."]
      : [
          state === "CANCELLED" ? "The refinement was cancelled." : "The refinement was stopped at its time limit.",
          "There is no result. You can train on all columns.",
        ];
  return (
    <Banner tone={state === "ERROR" ? "failed" : "early"} title={title}>
      {errorReason !== null && <p>{withReadersNumbers(errorReason)}</p>}
      <p>{hasResult ? "The findings so far are shown. Columns that were not judged yet are kept." : rest}</p>
    </Banner>
  );
}

function Files({ run: { featureRefinementKey: key, name }, result }: RefinementParts) {
  if (result === null || result.files.length === 0) return null;
  return (
    <Section title="Files">
      <ul class="files">
        {result.files.map(({ kind, sizeBytes }) => (
          <li key={kind}>
            <strong>Reduced {kind}</strong> <span class="note">{formatBytes(sizeBytes)}</span>{" "}
            <Download
              path={`/api/v1/feature-refinery/${key}/files/${kind}`}
              fileName={`${name}-${kind.toLowerCase()}.csv`}
            />
          </li>
        ))}
        <li>
          <strong>All decisions</strong> <span class="note">JSON</span>{" "}
          <Download path={`/api/v1/feature-refinery/${key}/result`} fileName="refinement.json" />
        </li>
      </ul>
    </Section>
  );
}
