// One row, begun from one of the training file, changed by hand and predicted at once, to get a feeling for a model.
import { useState } from "preact/hooks";
import type { ExampleRow } from "../api/models/example-row.ts";
import type { ModelDetails } from "../api/models/model-details.ts";
import { useAction } from "../browser/action.ts";
import { models, predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { useModel, type WholeModel } from "../browser/resources.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { formatAmount, formatCount } from "../common/format.ts";
import { Field, type FieldProps, Form, TextAreaField } from "../components/field.tsx";
import { AlarmSentence } from "../components/model/alarm-sentence.tsx";
import { useReplacement } from "../components/model/replacement.tsx";
import { type AnsweredRow, oddCellWords, RowAnswer } from "../components/model/row-answer.tsx";
import { Page } from "../components/page.tsx";
import { SuggestingInput } from "../components/starting/column-field.tsx";
import { Await, Empty, ErrorNote, Loading } from "../components/states.tsx";

/** Columns shown at first, and added with each press of the button. */
const SHOWN = 12;
const MORE = 60;

/** Texts that are longer in the median have several lines to be typed in; codes, lists and addresses have one. */
const LONGEST_LINE = 40;

type Column = ModelDetails["columns"][number];
type Cells = Readonly<Record<string, string>>;

export function PredictRow({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useModel(key);
  const replacement = useReplacement(loaded.value?.model);
  // The form comes with its row: what is typed must not be replaced. Without one it begins empty.
  const first = useLoad((signal) => models.exampleRow(key, 1, signal).catch(() => null), [key]);
  return (
    <Page
      title="Try one row"
      above={{ href: linkTo(`/models/${key}`), name: loaded.value?.model.name ?? "Model" }}
      lead="Change what you like, and leave empty what you do not know. Nothing is stored."
    >
      <Await loaded={loaded}>
        {({ model, details }) => {
          if (details === null) {
            return (
              <Empty title="The server no longer knows the columns of this model">
                <p>
                  <a href={linkTo(`/models/${key}/predict`)}>Send a file</a> instead.
                </p>
              </Empty>
            );
          }
          if (first.isLoading) return <Loading />;
          return (
            <>
              <AlarmSentence model={model} replacement={replacement} />
              <Row model={model} details={details} first={first.value} />
            </>
          );
        }}
      </Await>
    </Page>
  );
}

interface RowProps extends WholeModel {
  details: ModelDetails;
  first: ExampleRow | null;
}

function Row({ model: { modelKey, version }, details, first }: RowProps) {
  const [begun, setBegun] = useState(first);
  const [typed, setTyped] = useState<Cells>(cellsOf(first));
  const [shownCount, setShownCount] = useState(SHOWN);
  const [answered, setAnswered] = useState<AnsweredRow | null>(null);
  const columns = byImportance(details, version);
  const hiddenCount = columns.length - shownCount;
  const typedText = (name: string) => typed[name]?.trim() || null;
  const begin = (row: ExampleRow | null) => {
    setBegun(row);
    setTyped(cellsOf(row));
    setAnswered(null);
  };
  const another = useAction(async () => begin(await models.exampleRow(modelKey, (begun?.place ?? 0) + 1)));
  const score = useAction(async () => {
    const row = Object.fromEntries(columns.map(({ name }) => [name, typedText(name)]));
    const scored = await predictions.scoreRows(modelKey, [row]);
    setAnswered({ row, scored });
    // Marked cells are shown.
    const odd = new Set(scored.predictions[0]?.oddCells?.map(({ column }) => column));
    setShownCount((count) => Math.max(count, 1 + columns.findLastIndex(({ name }) => odd.has(name))));
  });
  const markOf = ({ name, kind }: Column): FieldNote => {
    if (answered === null || answered.row[name] !== typedText(name)) return {};
    const odd = answered.scored.predictions[0]?.oddCells?.find(({ column }) => column === name);
    if (odd === undefined) return {};
    // An empty cell is no mistake.
    return odd.code === "NEW_MISSING" ? { help: oddCellWords(odd, kind) } : { error: oddCellWords(odd, kind) };
  };
  return (
    <div class="row-screen">
      <Form
        action={score}
        submit="Predict"
        class="row-form"
        beside={
          <>
            {(first?.places ?? 0) > 1 && (
              <button type="button" disabled={another.isRunning} onClick={() => another.run()}>
                Another row
              </button>
            )}
            <button type="button" class="quiet" onClick={() => begin(null)}>
              Clear all
            </button>
          </>
        }
      >
        {begun !== null && <BegunFrom row={begun} />}
        {another.problem !== null && <ErrorNote problem={another.problem} />}
        <div class="row-fields">
          {columns.slice(0, shownCount).map((column) => (
            <Cell
              key={column.name}
              column={column}
              value={typed[column.name] ?? ""}
              mark={markOf(column)}
              onValue={(value) => setTyped((before) => ({ ...before, [column.name]: value }))}
            />
          ))}
        </div>
        {hiddenCount > 0 && (
          <button type="button" class="small" onClick={() => setShownCount(shownCount + MORE)}>
            Show {formatAmount(Math.min(hiddenCount, MORE), "more column")}
          </button>
        )}
      </Form>
      <section class="answer" aria-live="polite" aria-label="Prediction">
        <RowAnswer answered={answered} />
      </section>
    </div>
  );
}

/** Where the row comes from, and what the training file says of it. */
function BegunFrom({ row: { source, place, label } }: { row: ExampleRow }) {
  if (source === "typical values") {
    return <p class="note">Begun with typical values: the training file is no longer here.</p>;
  }
  return (
    <p class="note">
      Begun from row {formatCount(place)} of the training file
      {label !== null && (
        <>
          , where the label is <strong>{<bdi>{label}</bdi>}</strong>
        </>
      )}
      . The model has learned from this row.
    </p>
  );
}

function cellsOf(row: ExampleRow | null): Cells {
  return Object.fromEntries(Object.entries(row?.row ?? {}).map(([name, cell]) => [name, cell ?? ""]));
}

/** The champion's most important columns first, the others in the order of the file. */
function byImportance({ columns, versions }: ModelDetails, champion: number): readonly Column[] {
  const importance = versions.find(({ version }) => version === champion)?.importance ?? [];
  const rankOf = new Map(importance.map((column, rank) => [column.name, rank]));
  const last = importance.length;
  return columns.toSorted((a, b) => (rankOf.get(a.name) ?? last) - (rankOf.get(b.name) ?? last));
}

/** The words beneath a cell. */
type FieldNote = Pick<FieldProps, "help" | "error">;

interface CellProps {
  column: Column;
  value: string;
  mark: FieldNote;
  onValue(value: string): void;
}

function Cell({ column, value, mark, onValue }: CellProps) {
  const { kind, values, reading } = column;
  // Keyboards for numbers have no colon and no units.
  const isPlain = reading.kind === "number" && reading.form.affix === "";
  if ((column.text?.medianCharacters ?? 0) > LONGEST_LINE) {
    return <TextAreaField label={column.name} {...mark} rows={5} placeholder={kind} value={value} onValue={onValue} />;
  }
  return (
    <Field label={column.name} {...mark}>
      {(control) => (
        <SuggestingInput
          {...control}
          placeholder={kind}
          autocomplete="off"
          {...(isPlain && { inputMode: "decimal" })}
          likely={values}
          value={value}
          onValue={onValue}
        />
      )}
    </Field>
  );
}
