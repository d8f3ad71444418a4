// The columns of a dataset, one row each: kind, distribution by class,
// missing values, notes. Long lists can be searched.
import { useState } from "preact/hooks";
import { sumOf } from "../../engine/sums.ts";
import type { Distributions } from "../api/datasets/dataset-preview.ts";
import type { DatasetRecord } from "../api/datasets/datasets.ts";
import { datasets } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { classGroups, groupLegend } from "../charts/class-groups.ts";
import { distributionCell } from "../charts/sparkline.ts";
import { formatAmount, formatCount, formatPercent } from "../common/format.ts";
import { html } from "../common/markup.ts";
import { kindInWords } from "../words/reading-words.ts";
import { textInWords } from "../words/text-words.ts";
import type { Choosing } from "./choosing/choosing.ts";
import { KindCell, MissingTextsCell, UseCell } from "./choosing/column-cells.tsx";
import { Drawing } from "./drawing.tsx";
import { Table, type Column as TableColumn } from "./table.tsx";

const STEP = 50;

interface ColumnsTableProps {
  dataset: DatasetRecord;
  /** Left out where nothing may be chosen. */
  choosing?: Choosing;
}

export function ColumnsTable({ dataset, choosing }: ColumnsTableProps) {
  const { datasetKey, columns, classes, processedOn } = dataset;
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(STEP);
  // A dataset that was read again has other distributions.
  const loaded = useLoad((signal) => datasets.distributions(datasetKey, signal), [datasetKey, processedOn]);
  const wanted = search.trim().toLowerCase();
  const foundColumns = columns.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div class="columns-list">
      {columns.length > STEP && (
        <search class="search">
          <input
            type="search"
            aria-label="Search columns by name"
            placeholder="Search columns by name"
            value={search}
            onInput={({ currentTarget: { value } }) => setSearch(value)}
          />
        </search>
      )}
      {hasHistograms(loaded.value) && <Drawing markup={groupLegend(classGroups(classes))} />}
      <Table
        caption="Columns in the order of the file"
        rows={foundColumns.slice(0, most)}
        keyOf={({ name }) => name}
        columns={[...columnsAbout(dataset, choosing), ...columnsCounted(dataset, loaded.value)]}
      />
      {foundColumns.length === 0 && <p class="note">No column has “{search}” in its name.</p>}
      {foundColumns.length > most && (
        <p class="more">
          <button type="button" class="small" onClick={() => setMost(most + STEP)}>
            Show {formatAmount(Math.min(STEP, foundColumns.length - most), "more column")} of{" "}
            {formatCount(foundColumns.length - most)}
          </button>
        </p>
      )}
    </div>
  );
}

type Column = DatasetRecord["columns"][number];

/** The columns of the table that say what a column is and how it is read. */
function columnsAbout({ labelColumn }: DatasetRecord, choosing: Choosing | undefined): TableColumn<Column>[] {
  const about: TableColumn<Column>[] = [
    {
      head: "Name",
      cell: ({ name }) => (
        <>
          <bdi>{name}</bdi>
          {name === labelColumn && <span class="chip copper">Label</span>}
        </>
      ),
    },
    {
      head: choosing === undefined ? "Kind" : "Kind and use",
      cell: (column) => (
        <>
          {choosing === undefined || column.name === labelColumn ? (
            <span class="kind">{kindInWords(column)}</span>
          ) : (
            <span class="stack">
              <KindCell column={{ ...column, kind: column.kind || null }} choosing={choosing} />
              <UseCell column={column} choosing={choosing} />
            </span>
          )}{" "}
          {column.text !== undefined && <small>{textInWords(column.text)}</small>}
        </>
      ),
    },
  ];
  if (choosing !== undefined) {
    about.push({
      head: "Mean no value",
      cell: (column) => column.name !== labelColumn && <MissingTextsCell column={column} choosing={choosing} />,
    });
  }
  return about;
}

/** The columns of the table that count cells; none where the file could not be read. */
function columnsCounted(
  { columns, classes }: DatasetRecord,
  distributions: Distributions | null,
): TableColumn<Column>[] {
  if (classes.length === 0) return [];
  const rows = Math.max(1, sumOf(classes.map(({ count }) => count)));
  const groups = classGroups(classes);
  const histograms = new Map((distributions?.columns ?? []).map((column) => [column.name, column]));
  const countColumns: TableColumn<Column>[] = [
    {
      head: "Missing",
      isNumber: true,
      cell: ({ missing }) => (missing === 0 ? "none" : `${formatCount(missing)} (${formatPercent(missing / rows)})`),
    },
    { head: "Different values", isNumber: true, cell: ({ distinct }) => formatCount(distinct) },
  ];
  if (hasHistograms(distributions)) {
    countColumns.unshift({ head: "Distribution by class", cell: ({ name }) => sparkOf(histograms.get(name), groups) });
  }
  if (columns.some(({ warning }) => warning !== null))
    countColumns.push({ head: "Note", cell: ({ warning }) => warning });
  return countColumns;
}

function hasHistograms(found: Distributions | null): boolean {
  return found !== null && found.columns.length > 0;
}

/** Null for the label and unused columns, which have no histogram. */
function sparkOf(histogram: Distributions["columns"][number] | undefined, groups: ReturnType<typeof classGroups>) {
  if (histogram === undefined) return null;
  const { name, ...distribution } = histogram;
  return <Drawing markup={html`${distributionCell({ name, distribution }, groups)}`} />;
}
