// A new dataset: a name, a file, and what to make of it. The file goes to a signed address, with its progress shown.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { datasets } from "../browser/api.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { FileDrop, TextField } from "../components/field.tsx";
import { HeaderChoice } from "../components/header-choice.tsx";
import { Page } from "../components/page.tsx";
import { Sending, useSending } from "../components/sending.tsx";
import { ErrorNote } from "../components/states.tsx";
import { DEFAULT_BUCKETS, LEAST_BUCKETS, MOST_BUCKETS } from "../limits.ts";

const ABOVE = { href: linkTo("/datasets"), name: "Datasets" };

export function NewDataset() {
  const [file, setFile] = useState<File | null>(null);
  const [hasHeader, setHasHeader] = useState(true);
  const [name, setName] = useState("");
  const [labelColumn, setLabelColumn] = useState("");
  const [buckets, setBuckets] = useState(String(DEFAULT_BUCKETS));
  const sending = useSending();
  const create = useAction(async (chosen: File) => {
    const { datasetKey, datasetUploadInfo } = await datasets.create({
      name,
      numberOfBuckets: Number(buckets),
      hasHeader,
      ...(labelColumn.trim() !== "" && { labelColumn: labelColumn.trim() }),
    });
    try {
      await sending.send(chosen, datasetUploadInfo!);
    } catch (error) {
      // Without its file it would only hold the name.
      await datasets.remove(datasetKey);
      throw error;
    }
    goTo(linkTo(`/datasets/${datasetKey}`), { replace: true });
  });
  const errorOf = (field: string) => create.problem?.errorOf(field);
  return (
    <Page
      title="New dataset"
      above={ABOVE}
      lead="A labelled table: one row for each case, the column names above them."
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null) create.run(file);
        }}
      >
        <FileDrop
          label="File"
          help="CSV, 500 MB at most. It stays on this server."
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            if (name === "" && chosen !== null) setName(nameFor(chosen));
          }}
        />
        <HeaderChoice hasHeader={hasHeader} onChange={setHasHeader} />
        <TextField
          label="Name"
          help="3 to 30 characters."
          error={errorOf("name")}
          required
          minLength={3}
          maxLength={30}
          value={name}
          onValue={setName}
        />
        <TextField
          label="Label column"
          help="What the models shall predict. Left empty, it is the last column."
          error={errorOf("labelColumn")}
          value={labelColumn}
          onValue={setLabelColumn}
        />
        <Buckets value={buckets} error={errorOf("numberOfBuckets")} onValue={setBuckets} />
        {create.problem !== null && <ErrorNote problem={create.problem} />}
        <Sending {...sending} />
        <div class="actions">
          <button type="submit" class="primary" disabled={create.isRunning || file === null}>
            Make the dataset
          </button>
        </div>
      </form>
    </Page>
  );
}

function Buckets(field: { value: string; error: string | undefined; onValue(value: string): void }) {
  return (
    <TextField
      label="Buckets"
      help="How finely numbers are told apart. 20 does for most tables; more takes longer."
      type="number"
      required
      min={LEAST_BUCKETS}
      max={MOST_BUCKETS}
      {...field}
    />
  );
}

function nameFor({ name }: File): string {
  return name.replace(/\.[^.]*$/, "").slice(0, 30);
}
