// A new dataset: a name, a file, and how to read it.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { changesFrom, UNRELATED } from "../browser/forms/related.ts";
import { useFileColumns } from "../browser/forms/use-file-columns.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { DEFAULT_BUCKETS, LEAST_BUCKETS, MOST_BUCKETS } from "../common/limits.ts";
import { FileDrop, Form, HeaderChoice, TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { featuresBeside, LabelField } from "../components/starting/column-field.tsx";
import { LONGEST_NAME, nameOf, sendDataset } from "../components/starting/new-dataset.ts";
import { RelatedRows } from "../components/starting/related-rows.tsx";
import { Sending, useSending } from "../components/starting/sending.tsx";

const ABOVE = { href: linkTo("/datasets"), name: "Datasets" };

export function NewDataset() {
  const [file, setFile] = useState<File | null>(null);
  const [hasHeader, setHasHeader] = useState(true);
  const [name, setName] = useState("");
  const [labelColumn, setLabelColumn] = useState("");
  const [buckets, setBuckets] = useState(String(DEFAULT_BUCKETS));
  const [related, setRelated] = useState(UNRELATED);
  const names = useFileColumns(file, hasHeader);
  const sending = useSending();
  const create = useAction(async () => {
    const label = labelColumn.trim();
    const settings = {
      ...{ name, numberOfBuckets: Number(buckets), hasHeader },
      ...(label !== "" && { labelColumn: label }),
      ...changesFrom(UNRELATED, related),
    };
    const datasetKey = await sendDataset(settings, file!, sending);
    goTo(linkTo(`/datasets/${datasetKey}`), { replace: true });
  });
  const { errorOf } = create;
  return (
    <Page
      title="New dataset"
      above={ABOVE}
      lead="A table with one row per case, and a column that holds the label to predict."
    >
      <Form action={create} submit="Make the dataset" isReady={file !== null}>
        <FileDrop
          label="File"
          help="CSV, 500 MB at most. It stays on this server."
          file={file}
          onFile={(chosen) => {
            setFile(chosen);
            if (name === "" && chosen !== null) setName(nameOf(chosen));
          }}
        />
        <HeaderChoice hasHeader={hasHeader} onChange={setHasHeader} />
        <TextField
          label="Name"
          help="3 to 30 characters."
          error={errorOf("name")}
          required
          minLength={3}
          maxLength={LONGEST_NAME}
          value={name}
          onValue={setName}
        />
        <LabelField
          help="The column that models learn to predict."
          error={errorOf("labelColumn")}
          columns={{ names }}
          value={labelColumn}
          onValue={setLabelColumn}
        />
        <TextField
          label="Buckets"
          help="How finely numbers are told apart. 20 suits most tables; more takes longer."
          error={errorOf("numberOfBuckets")}
          type="number"
          required
          min={LEAST_BUCKETS}
          max={MOST_BUCKETS}
          value={buckets}
          onValue={setBuckets}
        />
        <RelatedRows
          related={related}
          onChange={(changes) => setRelated((before) => ({ ...before, ...changes }))}
          columns={featuresBeside(labelColumn, { names })}
          errorOf={errorOf}
        />
        <Sending {...sending} />
      </Form>
    </Page>
  );
}
