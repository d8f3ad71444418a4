// Where a newcomer begins: drop a file. It becomes a dataset at once, and the path goes on from there.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { datasets, models, predictions } from "../browser/api.ts";
import { withFreeName } from "../browser/follow-refinement.ts";
import { useLoad } from "../browser/loading.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { FileDrop } from "../components/field.tsx";
import { HeaderChoice } from "../components/header-choice.tsx";
import { Page } from "../components/page.tsx";
import { Sending, useSending } from "../components/sending.tsx";
import { Await, ErrorNote } from "../components/states.tsx";
import { formatAmount } from "../format.ts";
import { DEFAULT_BUCKETS } from "../limits.ts";

const LEAST_NAME = 3;
const LONGEST_NAME = 30;

export function Home() {
  return (
    <Page
      title="From a CSV file to predictions"
      lead="Bring a table whose rows are labelled. Cupel finds what the labels rest on, tries many models and keeps the best three."
    >
      <Bring />
      <ol class="path">
        <li>
          <h2>See what was understood</h2>
          <p>Columns, kinds, missing values, classes. Pick the column to predict; nothing begins before you say so.</p>
        </li>
        <li>
          <h2>Press one button</h2>
          <p>Some twenty models of three families compete. Each is judged by rows that it has not seen.</p>
        </li>
        <li>
          <h2>Predict</h2>
          <p>Send rows without a label, and get them back with one, and with how sure the model is.</p>
        </li>
      </ol>
      <Own />
    </Page>
  );
}

function Bring() {
  const [file, setFile] = useState<File | null>(null);
  const [hasHeader, setHasHeader] = useState(true);
  const sending = useSending();
  const bring = useAction(async (chosen: File) => {
    const { datasetKey, datasetUploadInfo } = await withFreeName(nameFor(chosen), (name) =>
      datasets.create({ name, numberOfBuckets: DEFAULT_BUCKETS, hasHeader }),
    );
    try {
      await sending.send(chosen, datasetUploadInfo!);
    } catch (error) {
      // Without its file it would only hold the name.
      await datasets.remove(datasetKey);
      throw error;
    }
    goTo(linkTo(`/start/${datasetKey}`));
  });
  return (
    <div class="form bring">
      <HeaderChoice hasHeader={hasHeader} onChange={setHasHeader} />
      <FileDrop
        label="Your table"
        help="A CSV file, 500 MB at most, some 100 rows at least. It is sent to this server and stays there."
        file={file}
        onFile={(chosen) => {
          setFile(chosen);
          if (chosen !== null) bring.run(chosen);
        }}
      />
      {bring.problem !== null && <ErrorNote problem={bring.problem} />}
      {file !== null && !bring.isRunning && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => bring.run(file)}>
            Send {file.name}
          </button>
        </div>
      )}
      <Sending {...sending} />
    </div>
  );
}

/** Without its ending, as long as names of datasets may be, with room for a number. */
function nameFor({ name }: File): string {
  const stem = name.replace(/\.[^.]*$/, "").trim();
  return (stem.length < LEAST_NAME ? `table ${stem}` : stem).slice(0, LONGEST_NAME - LEAST_NAME).trim();
}

function Own() {
  const own = useLoad(async (signal) => {
    const newest = { offset: 0, limit: 1 };
    const lists = [datasets.list(newest, signal), models.list(newest, signal), predictions.list(newest, signal)];
    return (await Promise.all(lists)).map(({ total }) => total);
  }, []);
  return (
    <Await loaded={own}>
      {([datasetCount = 0, modelCount = 0, predictionCount = 0]) =>
        datasetCount + modelCount + predictionCount > 0 && (
          <p class="note">
            You have <a href={linkTo("/datasets")}>{formatAmount(datasetCount, "dataset")}</a>,{" "}
            <a href={linkTo("/models")}>{formatAmount(modelCount, "model")}</a> and{" "}
            <a href={linkTo("/predictions")}>{formatAmount(predictionCount, "prediction")}</a>.
          </p>
        )
      }
    </Await>
  );
}
