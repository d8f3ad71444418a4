// Where a newcomer starts: a dropped file becomes a dataset at once, and the next screen continues with it.
import { useState } from "preact/hooks";
import { useAction } from "../browser/action.ts";
import { withFreeName } from "../browser/forms/free-name.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { DEFAULT_BUCKETS } from "../common/limits.ts";
import { FileDrop, HeaderChoice } from "../components/field.tsx";
import { OwnWork } from "../components/own-work.tsx";
import { Page } from "../components/page.tsx";
import { LONGEST_NAME, nameOf, sendDataset } from "../components/starting/new-dataset.ts";
import { Sending, useSending } from "../components/starting/sending.tsx";
import { ErrorNote } from "../components/states.tsx";

const LEAST_NAME = 3;

export function Home() {
  return (
    <Page
      title="From a CSV file to predictions"
      lead="Give Cupel a table with known answers. It learns to predict them for new rows, and shows how often it is right."
    >
      <Bring />
      <OwnWork />
      <ol class="path">
        <li>
          <h2>Check your table</h2>
          <p>See its columns and missing values, and pick the column to predict.</p>
        </li>
        <li>
          <h2>Press one button</h2>
          <p>Some twenty models compete. Each is tested on rows that it has not seen; the best three are kept.</p>
        </li>
        <li>
          <h2>Predict</h2>
          <p>Send rows without the answer. They come back with a prediction, and with how sure the model is.</p>
        </li>
      </ol>
    </Page>
  );
}

function Bring() {
  const [file, setFile] = useState<File | null>(null);
  const [hasHeader, setHasHeader] = useState(true);
  const sending = useSending();
  const bring = useAction(async (chosen: File) => {
    const datasetKey = await withFreeName(nameFor(chosen), (name) =>
      sendDataset({ name, numberOfBuckets: DEFAULT_BUCKETS, hasHeader }, chosen, sending),
    );
    goTo(linkTo(`/start/${datasetKey}`));
  });
  return (
    <div class="form bring">
      <HeaderChoice hasHeader={hasHeader} onChange={setHasHeader} />
      <FileDrop
        label="Your table"
        help="A CSV file of 100 rows or more, 500 MB at most. It is sent to this server and stays there."
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

/** The file's name, with room for a number. */
function nameFor(file: File): string {
  const name = nameOf(file, LONGEST_NAME - LEAST_NAME);
  return name.length < LEAST_NAME ? `table ${name}` : name;
}
