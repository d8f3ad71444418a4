// One row, typed by hand and predicted at once, to get a feeling for a model.
import { useId, useState } from "preact/hooks";
import type { ModelDetails } from "../api/models/model-details.ts";
import type { ScoredRows } from "../api/predictions/prediction-rows.ts";
import { useAction } from "../browser/action.ts";
import { predictions } from "../browser/api.ts";
import { useModel, type WholeModel } from "../browser/looks.ts";
import { linkTo, type ScreenProps } from "../browser/router.ts";
import { html, name, plainName } from "../charts/markup.ts";
import { shareBar } from "../charts/share-bar.ts";
import { Drawing } from "../components/drawing.tsx";
import { Field, Form } from "../components/field.tsx";
import { Page } from "../components/page.tsx";
import { Await, Empty } from "../components/states.tsx";
import { formatAmount, formatEffect, formatPercent } from "../format.ts";

/** Columns shown at first, and added with each press of the button. */
const SHOWN = 12;
const MORE = 60;
const MOST_LABELS = 10;
const MOST_WARNINGS = 4;
const LONGEST_NAME = 60;

type Column = ModelDetails["columns"][number];

export function PredictRow({ params }: ScreenProps) {
  const key = params["modelKey"] ?? "";
  const loaded = useModel(key);
  return (
    <Page
      title="Try one row"
      above={{ href: linkTo(`/models/${key}`), name: "Model" }}
      lead="Type what you know of a case, and leave the rest empty. Nothing is stored."
    >
      <Await loaded={loaded}>
        {({ model, details }) =>
          details === null ? (
            <Empty title="The server no longer knows the columns of this model">
              <p>
                <a href={linkTo(`/models/${key}/predict`)}>Send a file</a> instead.
              </p>
            </Empty>
          ) : (
            <Row model={model} details={details} />
          )
        }
      </Await>
    </Page>
  );
}

function Row({ model: { modelKey, version }, details }: WholeModel & { details: ModelDetails }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [shownCount, setShownCount] = useState(SHOWN);
  const [scored, setScored] = useState<ScoredRows | null>(null);
  const columns = byImportance(details, version);
  const rest = columns.length - shownCount;
  const score = useAction(async () => {
    const row = Object.fromEntries(columns.map((column) => [column.name, typed[column.name]?.trim() || null]));
    setScored(await predictions.scoreRow(modelKey, row));
  });
  return (
    <div class="row-screen">
      <Form
        action={score}
        submit="Predict"
        class="row-form"
        beside={
          <button type="button" class="quiet" onClick={() => setTyped({})}>
            Clear all
          </button>
        }
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
            Show {formatAmount(Math.min(rest, MORE), "more column")}
          </button>
        )}
      </Form>
      <section class="answer" aria-live="polite" aria-label="Prediction">
        <Answer scored={scored} />
      </section>
    </div>
  );
}

/** The champion's most important columns first, the others in the order of the file. */
function byImportance({ columns, versions }: ModelDetails, champion: number): readonly Column[] {
  const importance = versions.find(({ version }) => version === champion)?.importance ?? [];
  const rankOf = new Map(importance.map((column, rank) => [column.name, rank]));
  const last = importance.length;
  return columns.toSorted((a, b) => (rankOf.get(a.name) ?? last) - (rankOf.get(b.name) ?? last));
}

function Cell({ column, value, onValue }: { column: Column; value: string; onValue(value: string): void }) {
  const { kind, values } = column;
  const listId = useId();
  if (column.text !== undefined) {
    return (
      <Field label={column.name}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            placeholder={kind}
            value={value}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
        )}
      </Field>
    );
  }
  return (
    <Field label={column.name}>
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
  if (scored === null || first === undefined) return <p class="note">Your prediction appears here.</p>;
  const probabilities = Object.entries(first.probabilities).sort(([, a], [, b]) => b - a);
  const more = probabilities.length - MOST_LABELS;
  const beyond = scored.warnings.length - MOST_WARNINGS;
  return (
    <>
      <p class="note">v{scored.version} predicts</p>
      <p class="answer-label">
        <bdi>{first.label}</bdi>
      </p>
      <p>with a confidence of {formatPercent(first.confidence)}</p>
      <Drawing
        markup={html`<ul class="probabilities">${probabilities.slice(0, MOST_LABELS).map(([label, share]) => html`<li>${name(label)}${shareBar(share, label !== first.label)}</li>`)}</ul>`}
      />
      {more > 0 && <p class="note">and {formatAmount(more, "less probable label")}</p>}
      <Reasons reasons={first.reasons ?? []} />
      {scored.warnings.length > 0 && (
        <ul class="warnings">
          {scored.warnings.slice(0, MOST_WARNINGS).map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {beyond > 0 && <p class="note">and {formatAmount(beyond, "more warning")}</p>}
    </>
  );
}

/** What moved the decision, with the words of texts. */
function Reasons({ reasons }: { reasons: NonNullable<ScoredRows["predictions"][number]["reasons"]> }) {
  if (reasons.length === 0) return null;
  return (
    <>
      <h2>Why</h2>
      <ul class="reasons">
        {reasons.map(({ column, effect, words = [] }) => (
          <li key={column}>
            <bdi>{plainName(column, LONGEST_NAME)}</bdi> <span class="num">{formatEffect(effect)}</span>
            {words.length > 0 && (
              <small>
                {words.map(({ word, effect }) => (
                  <span key={word}>
                    “<bdi>{plainName(word, LONGEST_NAME)}</bdi>” {formatEffect(effect)}{" "}
                  </span>
                ))}
              </small>
            )}
          </li>
        ))}
      </ul>
      <p class="note">Above 0 speaks for this answer against the next most probable one, below 0 against it.</p>
    </>
  );
}
