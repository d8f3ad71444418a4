// One row, typed by hand and scored at once: to get a feeling for a model.
import { useId, useState } from "preact/hooks";
import type { ModelDetails } from "../api/model-details.ts";
import type { ScoredRows } from "../api/prediction-rows.ts";
import { useAction } from "../browser/action.ts";
import { predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { loadModel, type WholeModel } from "../browser/model-look.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { Field } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { ShareBar } from "../components/share-bar.tsx";
import { Await, Empty, ErrorNote } from "../components/states.tsx";
import { formatAmount, formatPercent } from "../format.ts";

/** Columns asked for at first, and with each further press. */
const SHOWN = 12;
const MORE = 60;
const MOST_LABELS = 10;
const MOST_WARNINGS = 4;

type Column = ModelDetails["columns"][number];

export function PredictRow({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useLoad((signal) => loadModel(key, signal), [key]);
  return (
    <Page
      title="Try one row"
      above={{ href: linkTo(`/models/${key}`), name: "Model" }}
      lead="Type what is known of a case; what is left empty counts as missing. Nothing of it is stored."
    >
      <Await loaded={loaded}>
        {({ model, details }) =>
          details === null ? (
            <Empty title="The columns of this model are not known here">
              <p>
                <a href={linkTo(`/models/${key}/predict`)}>Send a file</a> instead.
              </p>
            </Empty>
          ) : (
            <Form model={model} details={details} />
          )
        }
      </Await>
    </Page>
  );
}

function Form({ model: { modelKey, version }, details }: WholeModel & { details: ModelDetails }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [shownCount, setShownCount] = useState(SHOWN);
  const [scored, setScored] = useState<ScoredRows | null>(null);
  const columns = byImportance(details, version);
  const rest = columns.length - shownCount;
  const score = useAction(async () => {
    const row = Object.fromEntries(columns.map(({ name }) => [name, typed[name]?.trim() || null]));
    setScored(await predictions.scoreRow(modelKey, row));
  });
  return (
    <div class="row-screen">
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault();
          score.run();
        }}
      >
        <div class="row-fields">
          {columns.slice(0, shownCount).map((column) => (
            <Cell
              key={column.name}
              column={column}
              value={typed[column.name] ?? ""}
              onValue={(value) => setTyped((before) => ({ ...before, [column.name]: value }))}
            />
          ))}
        </div>
        {rest > 0 && (
          <button type="button" class="small" onClick={() => setShownCount(shownCount + MORE)}>
            {rest > MORE
              ? `Show ${MORE} of ${formatAmount(rest, "further column")}`
              : `Show ${formatAmount(rest, "further column")}`}
          </button>
        )}
        {score.problem !== null && <ErrorNote problem={score.problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={score.isRunning}>
            Predict
          </button>
          <button type="button" class="quiet" onClick={() => setTyped({})}>
            Empty all
          </button>
        </div>
      </form>
      <Answer scored={scored} />
    </div>
  );
}

/** What matters most to the champion first; the others in the order of the file. */
function byImportance({ columns, versions }: ModelDetails, champion: number): readonly Column[] {
  const importance = versions.find(({ version }) => version === champion)?.importance ?? [];
  const rankOf = new Map(importance.map(({ name }, rank) => [name, rank]));
  const last = importance.length;
  return [...columns].sort((a, b) => (rankOf.get(a.name) ?? last) - (rankOf.get(b.name) ?? last));
}

function Cell({ column, value, onValue }: { column: Column; value: string; onValue(value: string): void }) {
  const { name, kind, values } = column;
  const listId = useId();
  return (
    <Field label={name}>
      {(control) => (
        <>
          <input
            {...control}
            type="text"
            placeholder={kind}
            autocomplete="off"
            {...(kind === "number" && { inputMode: "decimal" })}
            {...(values.length > 0 && { list: listId })}
            value={value}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
          {values.length > 0 && (
            <datalist id={listId}>
              {values.map((known) => (
                <option key={known} value={known} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

function Answer({ scored }: { scored: ScoredRows | null }) {
  const [first] = scored?.predictions ?? [];
  if (scored === null || first === undefined) {
    return (
      <section class="answer" aria-live="polite" aria-label="Prediction">
        <p class="note">The prediction will stand here.</p>
      </section>
    );
  }
  const probabilities = Object.entries(first.probabilities).sort(([, a], [, b]) => b - a);
  const more = probabilities.length - MOST_LABELS;
  const beyond = scored.warnings.length - MOST_WARNINGS;
  return (
    <section class="answer" aria-live="polite" aria-label="Prediction">
      <p class="note">v{scored.version} predicts</p>
      <p class="answer-label">
        <bdi>{first.label}</bdi>
      </p>
      <p>with a confidence of {formatPercent(first.confidence)}</p>
      <ul class="probabilities">
        {probabilities.slice(0, MOST_LABELS).map(([label, share]) => (
          <li key={label}>
            <bdi>{label}</bdi>
            <ShareBar share={share} isQuiet={label !== first.label} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="note">and {formatAmount(more, "less probable label")}</p>}
      {scored.warnings.length > 0 && (
        <ul class="warnings">
          {scored.warnings.slice(0, MOST_WARNINGS).map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {beyond > 0 && <p class="note">and {formatAmount(beyond, "more warning")} of their kind</p>}
    </section>
  );
}
