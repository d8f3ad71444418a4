// Predicting the rows of a file. Its columns are checked in the browser before it is sent.
import { useState } from "preact/hooks";
import { unseenDifference } from "../../engine/csv/unseen-characters.ts";
import { InputError } from "../../engine/input-error.ts";
import type { ModelDetails } from "../api/models/model-details.ts";
import { useAction } from "../browser/action.ts";
import { predictions, SHOWN_REASONS } from "../browser/api.ts";
import { checkFileColumns, type FileCheck } from "../browser/forms/column-check.ts";
import { useModel, type WholeModel } from "../browser/resources.ts";
import { goTo, linkTo, type ScreenProps } from "../browser/router.ts";
import { formatAmount, formatCount, formatList } from "../common/format.ts";
import { LinkButton } from "../components/action-button.tsx";
import { Choice, FileDrop, Form, HeaderChoice } from "../components/field.tsx";
import { AlarmSentence } from "../components/model/alarm-sentence.tsx";
import { useReplacement } from "../components/model/replacement.tsx";
import { Page, Section } from "../components/page.tsx";
import { RESUMABLE_BYTES, Sending, type SendingFile, useSending } from "../components/starting/sending.tsx";
import { Await, Banner } from "../components/states.tsx";
import { Names } from "../components/words.tsx";

/** Characters of a file's name that the API takes. */
const MOST_NAME = 260;
/** At most this many names are listed. */
const LISTED = 40;
const LISTED_IN_LINE = 10;

export function NewPrediction({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useModel(key);
  const replacement = useReplacement(loaded.value?.model);
  return (
    <Page
      title="Predict a file"
      above={{ href: linkTo(`/models/${key}`), name: loaded.value?.model.name ?? "Model" }}
      lead="Send a CSV file with the columns that the model learned from. It comes back with a prediction for each row, and with how sure the model is."
    >
      <Await loaded={loaded}>
        {(whole) => (
          <>
            <AlarmSentence model={whole.model} replacement={replacement} />
            <Choose {...whole} />
          </>
        )}
      </Await>
    </Page>
  );
}

/** The chosen file with the result of its check; `check` is null if the model's columns are not known. */
type Checked = { file: File } & ({ check: FileCheck | null } | { unreadable: string });

function Choose({ model: { modelKey, version }, details }: WholeModel) {
  const [chosen, setChosen] = useState<Checked | null>(null);
  const [hasHeader, setHasHeader] = useState(true);
  const [withReasons, setWithReasons] = useState(false);
  const sending = useSending();
  const needed = details?.columns.map(({ name }) => name) ?? null;
  const choose = async (file: File | null, isNamed = hasHeader) => {
    setHasHeader(isNamed);
    setChosen(file === null ? null : await checked(file, details, isNamed));
  };
  const send = useAction(async () => {
    const { file } = chosen!;
    const choices = { hasHeader, reasons: withReasons ? SHOWN_REASONS : 0 };
    const predictionKey = await begin(modelKey, file, choices, sending);
    goTo(linkTo(`/predictions/${predictionKey}`), { replace: true });
  });
  const mayBeSent = chosen !== null && "check" in chosen && (chosen.check?.missing.length ?? 0) === 0;
  return (
    <>
      <Form
        action={send}
        submit="Predict"
        submitting={sending.sent === null ? "Starting…" : "Predict"}
        isReady={mayBeSent}
        beside={<LinkButton word="Try one row instead" href={linkTo(`/models/${modelKey}/row`)} look="quiet" />}
      >
        <FileDrop
          label="File"
          help={`CSV, 500 MB at most. The champion, v${version}, predicts it. The file stays on this server.`}
          file={chosen?.file ?? null}
          onFile={(file) => choose(file)}
        />
        <HeaderChoice hasHeader={hasHeader} onChange={(isNamed) => choose(chosen?.file ?? null, isNamed)} />
        <Choice checked={withReasons} onChange={setWithReasons}>
          Name the {SHOWN_REASONS} columns that decided each row. This takes longer.
        </Choice>
        {chosen !== null && (
          <Verdict chosen={chosen} label={details?.label ?? null} neededCount={needed?.length ?? 0} />
        )}
        <Sending {...sending} />
      </Form>
      {needed !== null && (
        <Section title={`The ${formatAmount(needed.length, "column")} that the model needs`}>
          <p class="note">By exactly these names, in any order. Other columns are ignored.</p>
          <Names names={needed} most={LISTED} />
        </Section>
      )}
    </>
  );
}

/** Returns the key of the prediction. A large file goes to an address, so that it goes on after a broken connection. */
async function begin(
  modelKey: string,
  file: File,
  choices: { hasHeader: boolean; reasons: number },
  sending: SendingFile,
): Promise<string> {
  if (file.size < RESUMABLE_BYTES) {
    return (await sending.sendBy(file, (way) => predictions.create(modelKey, file, choices, way))).predictionKey;
  }
  const { predictionKey, predictionUploadInfo } = await predictions.prepare(modelKey, {
    ...choices,
    fileName: file.name.slice(0, MOST_NAME),
  });
  await sending.send(file, predictionUploadInfo);
  return predictionKey;
}

async function checked(file: File, details: ModelDetails | null, hasHeader: boolean): Promise<Checked> {
  if (details === null) return { file, check: null };
  const { columns, missingValues: missingMarkers } = details;
  try {
    return { file, check: await checkFileColumns(file, { columns, missingMarkers }, hasHeader) };
  } catch (error) {
    return { file, unreadable: error instanceof InputError ? error.message : "The file cannot be read." };
  }
}

interface VerdictProps {
  chosen: Checked;
  /** The column that the model predicts. */
  label: string | null;
  neededCount: number;
}

function Verdict({ chosen, label, neededCount }: VerdictProps) {
  if ("unreadable" in chosen) {
    return (
      <Banner tone="failed" role="alert" title={chosen.unreadable}>
        <p>Correct the file, then choose it again. Nothing was sent.</p>
      </Banner>
    );
  }
  if (chosen.check === null) return null;
  const { missing, extra } = chosen.check;
  if (missing.length > 0) return <Lacking check={chosen.check} neededCount={neededCount} />;
  const unknownNames = extra.filter((name) => name !== label);
  return (
    <Banner
      tone="done"
      role="status"
      title={`All ${formatAmount(neededCount, "column")} that the model needs are there.`}
    >
      {unknownNames.length < extra.length && (
        <p>
          The file also has the label <bdi>{label}</bdi>, which is ignored.
        </p>
      )}
      {unknownNames.length > 0 && (
        <p>
          {formatAmount(unknownNames.length, "other column is", "other columns are")} ignored:{" "}
          {formatList(unknownNames, LISTED_IN_LINE)}.
        </p>
      )}
    </Banner>
  );
}

function Lacking({ check: { missing, extra }, neededCount }: { check: FileCheck; neededCount: number }) {
  return (
    <Banner
      tone="failed"
      role="alert"
      title={`The file lacks ${formatCount(missing.length)} of the ${formatAmount(neededCount, "column")} that the model needs.`}
    >
      <ul>
        {missing.slice(0, LISTED).map(({ name, near }) => (
          <li key={name}>
            <bdi>{name}</bdi> is missing
            {near !== null && (
              <>
                ; the file has <bdi>{near}</bdi> {unseenDifference(name, near)}
              </>
            )}
          </li>
        ))}
        {missing.length > LISTED && <li>and {formatCount(missing.length - LISTED)} more</li>}
      </ul>
      {extra.length > 0 && <p>Columns of the file that the model does not use: {formatList(extra, LISTED_IN_LINE)}.</p>}
      <p>Names must match exactly. Correct the header, then choose the file again. Nothing was sent.</p>
    </Banner>
  );
}
