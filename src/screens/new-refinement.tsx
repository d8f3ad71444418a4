// A new refinement: two labelled files, sent one after the other with their progress shown, then started.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { refinements } from "../browser/api.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { Field, FileDrop, TextField } from "../components/field.tsx";
import { HeaderChoice } from "../components/header-choice.tsx";
import { Page } from "../components/page.tsx";
import { Sending, useSending } from "../components/sending.tsx";
import { ErrorNote } from "../components/states.tsx";
import { formatCount } from "../format.ts";
import { DEFAULT_BUCKETS, REFINEMENT_BUCKETS } from "../limits.ts";

const ABOVE = { href: linkTo("/refinements"), name: "Refinements" };

interface Chosen {
  TRAIN: File | null;
  TEST: File | null;
}

export function NewRefinement() {
  const [files, setFiles] = useState<Chosen>({ TRAIN: null, TEST: null });
  const [asked, setAsked] = useState({
    name: "",
    labelColumn: "",
    buckets: String(DEFAULT_BUCKETS),
    removeLeaks: false,
    hasHeader: true,
  });
  const change = (changes: Partial<typeof asked>) => setAsked((before) => ({ ...before, ...changes }));
  const sending = useSending();
  const begin = useAction(async () => {
    const run = await refinements.create({
      ...(asked.name.trim() !== "" && { name: asked.name.trim() }),
      ...(asked.labelColumn.trim() !== "" && { labelColumn: asked.labelColumn.trim() }),
      trainFileName: files.TRAIN!.name,
      testFileName: files.TEST!.name,
      numberOfBuckets: Number(asked.buckets) as 20,
      removeLeaks: asked.removeLeaks,
      hasHeader: asked.hasHeader,
    });
    const { featureRefinementKey: key } = run;
    try {
      for (const { kind, url, requiredHeader } of run.uploadTargets) {
        const [header = "", value = ""] = requiredHeader.split(": ");
        await sending.send(files[kind]!, { uploadUrl: url, extraHeaders: { [header]: value } });
      }
      await refinements.start(key);
    } catch (error) {
      // Without its files it would only hold the name.
      await refinements.remove(key);
      throw error;
    }
    goTo(linkTo(`/refinements/${key}`), { replace: true });
  });
  const isReady = files.TRAIN !== null && files.TEST !== null;
  return (
    <Page
      title="New refinement"
      above={ABOVE}
      lead="Which columns carry signal? Decided on TRAIN, and judged by TEST, which no model learns from."
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) begin.run();
        }}
      >
        <FileDrop
          label="TRAIN file"
          help="Labelled CSV, 500 MB at most."
          file={files.TRAIN}
          onFile={(file) => setFiles((before) => ({ ...before, TRAIN: file }))}
        />
        <FileDrop
          label="TEST file"
          help="Other labelled rows with the same columns. The same file twice: a fifth of its rows is kept blind."
          file={files.TEST}
          onFile={(file) => setFiles((before) => ({ ...before, TEST: file }))}
        />
        <HeaderChoice hasHeader={asked.hasHeader} onChange={(hasHeader) => change({ hasHeader })} />
        <Settings asked={asked} change={change} errorOf={(field) => begin.problem?.errorOf(field)} />
        {begin.problem !== null && <ErrorNote problem={begin.problem} />}
        <Sending {...sending} />
        <div class="actions">
          <button type="submit" class="primary" disabled={begin.isRunning || !isReady}>
            Send and start
          </button>
        </div>
      </form>
    </Page>
  );
}

interface Asked {
  name: string;
  labelColumn: string;
  buckets: string;
  removeLeaks: boolean;
}

interface SettingsProps {
  asked: Asked;
  change(changes: Partial<Asked>): void;
  errorOf(field: string): string | undefined;
}

function Settings({ asked: { name, labelColumn, buckets, removeLeaks }, change, errorOf }: SettingsProps) {
  return (
    <>
      <TextField
        label="Name"
        help="Letters, digits, blanks, hyphens, underscores. Left empty, it is made of the time."
        error={errorOf("name")}
        maxLength={100}
        value={name}
        onValue={(value) => change({ name: value })}
      />
      <TextField
        label="Label column"
        help="Left empty, it is the last column of TRAIN."
        error={errorOf("labelColumn")}
        value={labelColumn}
        onValue={(value) => change({ labelColumn: value })}
      />
      <Field label="Buckets" help="How finely numbers are told apart. 10 is a good start; more takes longer.">
        {(control) => (
          <select {...control} value={buckets} onChange={({ currentTarget: { value } }) => change({ buckets: value })}>
            {REFINEMENT_BUCKETS.map((count) => (
              <option key={count} value={String(count)}>
                {formatCount(count)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label class="choice">
        <input
          type="checkbox"
          checked={removeLeaks}
          onChange={({ currentTarget: { checked } }) => change({ removeLeaks: checked })}
        />
        <span>Remove columns that give nearly the whole label away, instead of keeping them with a warning</span>
      </label>
    </>
  );
}
