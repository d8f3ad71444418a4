// A new refinement: two labelled files are sent one after the other, then it starts.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { refinements } from "../browser/api.ts";
import { changesFrom, UNRELATED } from "../browser/forms/related.ts";
import { useFileColumns } from "../browser/forms/use-file-columns.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { formatCount } from "../common/format.ts";
import { DEFAULT_BUCKETS, REFINEMENT_BUCKETS } from "../common/limits.ts";
import { Choice, FileDrop, Form, HeaderChoice, SelectField, TextField } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { type FormColumns, featuresBeside, LabelField } from "../components/starting/column-field.tsx";
import { RelatedRows } from "../components/starting/related-rows.tsx";
import { Sending, useSending } from "../components/starting/sending.tsx";

const ABOVE = { href: linkTo("/refinements"), name: "Refinements" };
/** The form before anything is typed. */
const NOTHING = {
  TRAIN: null as File | null,
  TEST: null as File | null,
  name: "",
  labelColumn: "",
  buckets: String(DEFAULT_BUCKETS),
  removeLeaks: false,
  hasHeader: true,
  related: UNRELATED,
};

export function NewRefinement() {
  const [asked, setAsked] = useState(NOTHING);
  const change = (changes: Partial<typeof asked>) => setAsked((before) => ({ ...before, ...changes }));
  const { TRAIN, TEST, name, labelColumn, buckets, removeLeaks, hasHeader, related } = asked;
  const columns = { names: useFileColumns(TRAIN, hasHeader), likely: useFileColumns(TEST, hasHeader) ?? [] };
  const sending = useSending();
  const begin = useAction(async () => {
    const run = await refinements.create({
      ...(name.trim() !== "" && { name: name.trim() }),
      ...(labelColumn.trim() !== "" && { labelColumn: labelColumn.trim() }),
      trainFileName: TRAIN!.name,
      testFileName: TEST!.name,
      numberOfBuckets: Number(buckets) as 20,
      removeLeaks,
      hasHeader,
      ...changesFrom(UNRELATED, related),
    });
    const { featureRefinementKey: key } = run;
    try {
      for (const { kind, url, requiredHeader } of run.uploadTargets) {
        const [header = "", value = ""] = requiredHeader.split(": ");
        await sending.send(asked[kind]!, { uploadUrl: url, extraHeaders: { [header]: value } });
      }
      await refinements.start(key);
    } catch (error) {
      // Without its files it would only occupy its name.
      await refinements.remove(key);
      throw error;
    }
    goTo(linkTo(`/refinements/${key}`), { replace: true });
  });
  return (
    <Page
      title="New refinement"
      above={ABOVE}
      lead="Find out which columns of your table help to predict the label. Decided on TRAIN, checked on TEST."
    >
      <Form action={begin} submit="Send and start" isReady={TRAIN !== null && TEST !== null}>
        <FileDrop
          label="TRAIN file"
          help="Labelled CSV, 500 MB at most."
          file={TRAIN}
          onFile={(file) => change({ TRAIN: file })}
        />
        <FileDrop
          label="TEST file"
          help="Other labelled rows with the same columns. If you have none, choose the TRAIN file again: a fifth of its rows is set aside."
          file={TEST}
          onFile={(file) => change({ TEST: file })}
        />
        <HeaderChoice hasHeader={hasHeader} onChange={(isNamed) => change({ hasHeader: isNamed })} />
        <Settings asked={asked} columns={columns} change={change} errorOf={begin.errorOf} />
        <RelatedRows
          related={related}
          onChange={(part) => setAsked((before) => ({ ...before, related: { ...before.related, ...part } }))}
          columns={featuresBeside(labelColumn, columns)}
          errorOf={begin.errorOf}
        />
        <Sending {...sending} />
      </Form>
    </Page>
  );
}

interface SettingsProps {
  asked: typeof NOTHING;
  columns: FormColumns;
  change(changes: Partial<typeof NOTHING>): void;
  errorOf(field: string): string | undefined;
}

function Settings({ asked: { name, labelColumn, buckets, removeLeaks }, columns, change, errorOf }: SettingsProps) {
  return (
    <>
      <TextField
        label="Name"
        help="Letters, digits, spaces, hyphens and underscores. Leave it empty for a name made of the time."
        error={errorOf("name")}
        maxLength={100}
        value={name}
        onValue={(value) => change({ name: value })}
      />
      <LabelField
        help="The column that models would learn to predict."
        error={errorOf("labelColumn")}
        columns={columns}
        value={labelColumn}
        onValue={(value) => change({ labelColumn: value })}
      />
      <SelectField
        label="Buckets"
        help="How finely numbers are told apart. 10 is a good start; more takes longer."
        value={buckets}
        onValue={(value) => change({ buckets: value })}
      >
        {REFINEMENT_BUCKETS.map((count) => (
          <option key={count} value={String(count)}>
            {formatCount(count)}
          </option>
        ))}
      </SelectField>
      <Choice checked={removeLeaks} onChange={(isChecked) => change({ removeLeaks: isChecked })}>
        Remove columns that give nearly the whole label away, instead of keeping them with a warning
      </Choice>
    </>
  );
}
