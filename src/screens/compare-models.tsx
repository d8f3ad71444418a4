// Two models side by side: which is the more accurate, whether that is more than chance, and what else differs.
import type { ComponentChildren } from "preact";
import type { ModelComparison } from "../api/models/model-comparison.ts";
import type { ModelDetail } from "../api/models/models.ts";
import type { OwnModel } from "../api/users/own-lists.ts";
import { models } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { goTo, linkTo, place } from "../browser/router.ts";
import { points } from "../charts/scales.ts";
import { formatCount, formatDuration, formatEstimate, formatFigure, formatPercent } from "../common/format.ts";
import { fourDigits, wholeNumber, withReadersNumbers } from "../common/numbers.ts";
import { SelectField } from "../components/field.tsx";
import { Page, Section } from "../components/page.tsx";
import { Await, Banner, Empty } from "../components/states.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Names, orDash, Time, timeInWords, Undefined } from "../components/words.tsx";
import { MEASURE_NAMES } from "../words/objective-words.ts";
import { settingName } from "../words/settings-words.ts";

const ABOVE = { href: linkTo("/models"), name: "Models" };
const PATH = "/models/compare";
/** Models to choose from, the newest; others are named by the address. */
const CHOICES = 100;
/** Columns listed by importance at first. */
const MOST_IMPORTANT = 20;

/** As the address holds them; empty for what is not chosen. */
type Chosen = Record<"a" | "b" | "aVersion" | "bVersion", string>;

export function CompareModels() {
  const { query } = place.value;
  const field = (name: keyof Chosen) => query.get(name) ?? "";
  const chosenFields = { a: field("a"), b: field("b"), aVersion: field("aVersion"), bVersion: field("bVersion") };
  const list = useLoad((signal) => models.list({ offset: 0, limit: CHOICES }, signal), []);
  return (
    <Page title="Compare models" above={ABOVE} lead="Choose two models, or two versions of one.">
      <Await loaded={list}>
        {({ items }) => (
          <>
            <div class="compared">
              <Side side="a" chosen={chosenFields} items={items} />
              <Side side="b" chosen={chosenFields} items={items} />
            </div>
            {chosenFields.a !== "" && chosenFields.b !== "" ? (
              <Result key={JSON.stringify(chosenFields)} chosen={chosenFields} />
            ) : (
              <Empty title="Nothing to compare yet">
                <p>Choose a model for A and one for B.</p>
              </Empty>
            )}
          </>
        )}
      </Await>
    </Page>
  );
}

interface SideProps {
  side: "a" | "b";
  chosen: Chosen;
  items: readonly OwnModel[];
}

function Side({ side, chosen, items }: SideProps) {
  const key = chosen[side];
  const model = useLoad<ModelDetail | null>(
    async (signal) => (key === "" ? null : models.get(key, signal).catch(() => null)),
    [key],
  ).value;
  const change = (changes: Partial<Chosen>) => goTo(linkTo(PATH, { ...chosen, ...changes }), { replace: true });
  const letter = side.toUpperCase();
  const version = chosen[`${side}Version`] || String(model?.version ?? "");
  const isListed = items.some(({ modelKey }) => modelKey === key);
  return (
    <div>
      <SelectField
        label={`Model ${letter}`}
        value={key}
        onValue={(value) => change({ [side]: value, [`${side}Version`]: "" })}
      >
        <option value="">Choose a model</option>
        {!isListed && key !== "" && <option value={key}>{model?.name ?? key}</option>}
        {items.map(({ modelKey, name, datasetName, createdOn, testPerformance }) => (
          <option key={modelKey} value={modelKey}>
            {`${name ?? datasetName}, ${formatPercent(testPerformance)}, ${timeInWords(createdOn)}`}
          </option>
        ))}
      </SelectField>
      {model !== null && model.versions.length > 1 && (
        <SelectField
          label={`Version of ${letter}`}
          value={version}
          onValue={(value) => change({ [`${side}Version`]: value })}
        >
          {model.versions.map((each) => (
            <option key={each.version} value={String(each.version)}>
              {`v${each.version}${each.champion ? ", champion" : ""}${each.name === null ? "" : `, ${each.name}`}`}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}

function Result({ chosen }: { chosen: Chosen }) {
  const loaded = useLoad((signal) => models.compare({ ...chosen }, signal), []);
  return <Await loaded={loaded}>{(comparison) => <Comparison {...comparison} />}</Await>;
}

function Comparison(comparison: ModelComparison) {
  const { judgedOn, statements, settings, columns, importance } = comparison;
  return (
    <>
      <Banner tone={toneOf(comparison)} role="status" title={headlineOf(comparison)}>
        {statements.map((statement) => (
          <p key={statement}>{withReadersNumbers(statement)}</p>
        ))}
      </Banner>
      <Section title="Figures">
        <Pair caption="Figures of both models" rows={figuresOf(comparison)} columns={PAIR} />
        {judgedOn === "OTHER_ROWS" && <p class="note">Judged on other rows: the difference is not a paired one.</p>}
      </Section>
      <Section title="Settings that differ">
        {settings.length === 0 ? (
          <p class="note">None.</p>
        ) : (
          <Pair
            caption="Settings that differ"
            rows={settings.map(({ name, a, b }) => ({
              name: settingName(name),
              a: settingShown(a),
              b: settingShown(b),
            }))}
            columns={PAIR}
          />
        )}
      </Section>
      <Section title="Columns">
        <p class="note">Both use {formatCount(columns.both)} columns of the same names.</p>
        <Only side="A" names={columns.onlyA} />
        <Only side="B" names={columns.onlyB} />
      </Section>
      {importance.length > 0 && (
        <Section title="Importance of columns">
          <p class="note">
            Accuracy lost, in points, when one column is shuffled.{" "}
            {importance.length > MOST_IMPORTANT && "The most important ones."}
          </p>
          <Pair
            caption="Importance of columns in both models"
            rows={importance.slice(0, MOST_IMPORTANT).map(({ name, a, b }) => ({
              name,
              a: orDash("Not measured", a, points),
              b: orDash("Not measured", b, points),
            }))}
            columns={NUMBERS}
          />
        </Section>
      )}
    </>
  );
}

function headlineOf({ difference }: ModelComparison): string {
  if (difference === null) return "These two cannot be compared by accuracy";
  if (difference.isWithinChance) return "Neither is shown to be more accurate";
  return `${difference.mean > 0 ? "B" : "A"} is more accurate`;
}

function toneOf({ difference }: ModelComparison): "done" | "early" {
  return difference === null || difference.isWithinChance ? "early" : "done";
}

interface PairRow {
  name: string;
  a: ComponentChildren;
  b: ComponentChildren;
}

const PAIR: readonly Column<PairRow>[] = [
  { head: "What", cell: ({ name }) => <bdi>{name}</bdi> },
  { head: "A", cell: ({ a }) => a },
  { head: "B", cell: ({ b }) => b },
];
const NUMBERS = PAIR.map((column, at) => (at === 0 ? column : { ...column, isNumber: true as const }));

interface PairProps {
  caption: string;
  rows: readonly PairRow[];
  columns: readonly Column<PairRow>[];
}

function Pair(table: PairProps) {
  return (
    <div class="pair">
      <Table {...table} keyOf={({ name }) => name} />
    </div>
  );
}

type SideFigures = ModelComparison["a"];

function figuresOf({ a, b }: ModelComparison): PairRow[] {
  const rows: [name: string, show: (side: SideFigures) => ComponentChildren][] = [
    ["Model", modelLink],
    ["Held-out accuracy", ({ heldOutPerformance }) => formatEstimate(heldOutPerformance)],
    ["Confirmed accuracy", ({ confirmedPerformance }) => orDash("Not confirmed", confirmedPerformance, formatEstimate)],
    [
      "Wrong decisions",
      ({ falseDecisions, heldOutRows }) => `${formatCount(falseDecisions)} of ${formatCount(heldOutRows)}`,
    ],
    ["Majority", ({ baseline }) => `${formatPercent(baseline.accuracy)} (always “${baseline.label}”)`],
    ["Balanced accuracy", ({ balancedAccuracy }) => formatPercent(balancedAccuracy)],
    ["Log-loss", ({ logLoss }) => formatFigure(logLoss)],
    ["Algorithm", ({ algorithm }) => algorithm],
    ["Decisions aim at", ({ objective }) => MEASURE_NAMES[objective]],
    ["Label", ({ label }) => <bdi>{label}</bdi>],
    ["Dataset", ({ datasetName }) => <bdi>{datasetName}</bdi>],
    ["Rows trained on", ({ rows: count }) => formatCount(count)],
    ["Columns used", ({ columnCount }) => formatCount(columnCount)],
    ["Training took", ({ elapsedSeconds }) => formatDuration(elapsedSeconds)],
    ["Made", ({ createdOn }) => <Time at={createdOn} />],
  ];
  return rows.map(([name, show]) => ({ name, a: show(a), b: show(b) }));
}

function modelLink({ modelKey, name, datasetName, version, versionName }: SideFigures) {
  return (
    <a href={linkTo(`/models/${modelKey}`)}>
      <bdi>{name ?? `Model of ${datasetName}`}</bdi> v{version}
      {versionName !== null && (
        <>
          {" "}
          <bdi>{versionName}</bdi>
        </>
      )}
    </a>
  );
}

function settingShown(value: string | number | boolean | null): ComponentChildren {
  if (value === null) return <Undefined reason="Not set" />;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return <bdi>{value}</bdi>;
  return Number.isInteger(value) ? wholeNumber(value) : fourDigits(value);
}

function Only({ side, names }: { side: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      <p class="note">Only {side} uses:</p>
      <Names names={names} />
    </>
  );
}
