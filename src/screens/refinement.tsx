// One refinement: how far it is, what it decided about every column, and what can be done with the outcome.
import { useState } from "preact/hooks";
import type { RefinementProgress } from "../api/refinement-progress.ts";
import { useAction } from "../browser/action.ts";
import { datasets, refinements } from "../browser/api.ts";
import type { RefinementParts } from "../browser/refinement-account.ts";
import { useRefinement } from "../browser/refinement-look.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { announce } from "../components/announcements.tsx";
import { confirm, Dialog } from "../components/dialog.tsx";
import { Download } from "../components/download.tsx";
import { TextField } from "../components/field.tsx";
import { Page, Section } from "../components/page.tsx";
import { Performances, RefinementAdvance, RefinementFigures, Trail } from "../components/refinement-advance.tsx";
import { RefinementOutcome } from "../components/refinement-outcome.tsx";
import { isOver, StateBadge } from "../components/state-badge.tsx";
import { Await, ErrorNote } from "../components/states.tsx";
import { formatBytes } from "../format.ts";

const ABOVE = { href: linkTo("/refinements"), name: "Refinements" };

export function Refinement({ params }: ScreenProps) {
  const key = params["featureRefinementKey"] ?? "";
  const loaded = useRefinement(key);
  const parts = loaded.value;
  return (
    <Page
      title={parts?.run.name ?? "Refinement"}
      above={ABOVE}
      {...(parts !== null && {
        mark: <StateBadge state={parts.progress.state} />,
        actions: <Actions parts={parts} reload={loaded.reload} />,
      })}
    >
      <Await loaded={loaded}>{(value) => <Body {...value} />}</Await>
    </Page>
  );
}

function Actions({ parts: { run, progress }, reload }: { parts: RefinementParts; reload(): void }) {
  const { featureRefinementKey: key, name } = run;
  const [isMaking, setMaking] = useState(false);
  const cancel = useAction(async () => {
    const text = "What it has found out so far is lost. The files that were sent stay until the run is deleted.";
    if (!(await confirm({ title: `Cancel ${name}?`, text, action: "Cancel the run", isDangerous: true }))) return;
    await refinements.cancel(key);
    reload();
  });
  const remove = useAction(async () => {
    const text = "It leaves your list and its name is free again. Datasets made of it stay.";
    if (!(await confirm({ title: `Delete ${name}?`, text, action: "Delete", isDangerous: true }))) return;
    await refinements.remove(key);
    announce(`${name} was deleted.`);
    goTo(linkTo("/refinements"));
  });
  const problem = cancel.problem ?? remove.problem;
  return (
    <>
      {isOver(progress.state) ? (
        <button type="button" class="quiet" disabled={remove.isRunning} onClick={() => remove.run()}>
          Delete
        </button>
      ) : (
        <button
          type="button"
          class="quiet"
          disabled={cancel.isRunning || progress.cancelRequested === true}
          onClick={() => cancel.run()}
        >
          Cancel
        </button>
      )}
      {progress.state === "REFINEMENT_COMPLETED" && (
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          Make a dataset
        </button>
      )}
      {problem !== null && <ErrorNote problem={problem} />}
      {isMaking && <MakeDataset refinementKey={key} name={name} onClose={() => setMaking(false)} />}
    </>
  );
}

interface MakeDatasetProps {
  refinementKey: string;
  name: string;
  onClose(): void;
}

function MakeDataset({ refinementKey, name: runName, onClose }: MakeDatasetProps) {
  const [name, setName] = useState(runName.slice(0, 30));
  const make = useAction(async () => {
    const { datasetKey } = await datasets.createOfRefinement(refinementKey, { name });
    goTo(linkTo(`/datasets/${datasetKey}`));
  });
  return (
    <Dialog title="Make a dataset" onClose={onClose}>
      <p>The labelled rows of TRAIN with the kept columns, ready for training. It knows the recommended target.</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <TextField
          label="Name"
          help="3 to 30 characters."
          error={make.problem?.errorOf("name")}
          required
          minLength={3}
          maxLength={30}
          value={name}
          onValue={setName}
        />
        {make.problem !== null && <ErrorNote problem={make.problem} />}
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={make.isRunning}>
            Make the dataset
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Body(parts: RefinementParts) {
  const { progress, result } = parts;
  if (!isOver(progress.state)) {
    return (
      <>
        <RefinementAdvance progress={progress} />
        {progress.waitingReason !== undefined && <p class="note">{progress.waitingReason}</p>}
        <p class="note">It goes on when you leave this page.</p>
        <RefinementFigures progress={progress} />
        <Performances progress={progress} />
        <Trail progress={progress} />
      </>
    );
  }
  return (
    <>
      <Ended progress={progress} hasResult={result !== null} />
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

/** Nothing where it goes on, or completed. */
export function Ended({ progress, hasResult }: { progress: RefinementProgress; hasResult: boolean }) {
  const { state, errorReason } = progress;
  if (!isOver(state) || state === "REFINEMENT_COMPLETED") return null;
  const isFailed = state === "ERROR";
  const heading = isFailed
    ? "The refinement failed."
    : state === "CANCELLED"
      ? "The refinement was cancelled."
      : "The refinement was stopped at its time limit.";
  return (
    <div class={`banner ${isFailed ? "failed" : "early"}`} role="note">
      <strong>{heading}</strong>
      {errorReason !== null && <p>{errorReason}</p>}
      <p>
        {hasResult
          ? "What had been found by then is here: columns that were not judged by then were kept."
          : isFailed
            ? "Correct what is wrong, then make a new refinement."
            : "There is no result; training on all columns needs none."}
      </p>
    </div>
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
