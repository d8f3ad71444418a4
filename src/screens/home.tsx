// Where a newcomer begins: what Cupel does, in the order in which it is done.

import { datasets, models, predictions } from "../browser/api.ts";
import { useLoad } from "../browser/loading.ts";
import { linkTo } from "../browser/router.ts";
import { Page } from "../components/page.tsx";
import { Await } from "../components/states.tsx";
import { formatAmount } from "../format.ts";

export function Home() {
  const own = useLoad(async (signal) => {
    const newest = { offset: 0, limit: 1 };
    const lists = [datasets.list(newest, signal), models.list(newest, signal), predictions.list(newest, signal)];
    return (await Promise.all(lists)).map(({ total }) => total);
  }, []);
  return (
    <Page
      title="From a CSV file to predictions"
      lead="Bring a table whose rows are labelled. Cupel finds what the labels rest on, tries many models and keeps the best three."
    >
      <ol class="path">
        <li>
          <h2>Bring a table</h2>
          <p>
            A CSV file with a header and one column that says what each row is. Up to 500 MB, at least 100 rows or so.
          </p>
          <p>
            <a class="button primary" href={linkTo("/datasets/new")}>
              New dataset
            </a>
          </p>
        </li>
        <li>
          <h2>Train</h2>
          <p>Some twenty models of three families compete. Each is judged by rows that it has not seen.</p>
        </li>
        <li>
          <h2>Predict</h2>
          <p>Send rows without a label, and get them back with one, and with how sure the model is.</p>
        </li>
      </ol>
      <Await loaded={own}>
        {([datasetCount = 0, modelCount = 0, predictionCount = 0]) =>
          datasetCount + modelCount + predictionCount > 0 && (
            <p class="note">
              You have <a href={linkTo("/datasets")}>{formatAmount(datasetCount, "dataset")}</a>,{" "}
              <a href={linkTo("/trainings")}>{formatAmount(modelCount, "model")}</a> and{" "}
              <a href={linkTo("/predictions")}>{formatAmount(predictionCount, "prediction")}</a>.
            </p>
          )
        }
      </Await>
    </Page>
  );
}
