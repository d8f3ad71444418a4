// One version of a model: its figures, confusion matrix, measures by class, calibration and importance of columns.
import type { ModelDetails } from "../../api/models/model-details.ts";
import type { ModelDetail } from "../../api/models/models.ts";
import { models } from "../../browser/api.ts";
import { calibrationFigure } from "../../charts/calibration.ts";
import { confusionFigure } from "../../charts/confusion.ts";
import { familyIcon } from "../../charts/family-marks.ts";
import { importanceFigure } from "../../charts/importance.ts";
import { pairs } from "../../charts/pictures.ts";
import { html, type Markup, plainName } from "../../common/markup.ts";
import { classTable, versionFigures } from "../../report/versions.ts";
import { refusalOf } from "../../words/other-forms.ts";
import { settingsInWords } from "../../words/settings-words.ts";
import { ActionButton, Download } from "../action-button.tsx";
import { Drawing } from "../drawing.tsx";
import { Naming, Note } from "./names.tsx";

interface VersionProps {
  model: ModelDetail;
  version: ModelDetail["versions"][number];
  /** Null if the server keeps only the model's figures. */
  details: ModelDetails | null;
  /** Called after this version became the champion, or got another name. */
  onMoved(): void;
}

export function VersionColumn({ model, version, details, onMoved }: VersionProps) {
  const { modelKey, trainingJobKey } = model;
  const { version: number, champion } = version;
  const evidence = details?.versions.find((known) => known.version === number);
  const labels = details?.classes.map(({ label }) => label) ?? [];
  return (
    <article class={champion ? "version champion" : "version"} aria-label={`Version ${number}`}>
      <header>
        <h3>
          v{number}
          {champion && <span class="chip copper">Champion</span>}
          {version.name !== null && <bdi> {version.name}</bdi>}
        </h3>
        <Note note={version.note} />
        {evidence === undefined ? (
          <p>{version.algorithm}</p>
        ) : (
          <Drawing markup={html`${familyIcon(evidence.family)} ${version.algorithm}`} />
        )}
        {evidence !== undefined && (
          <p class="note">
            Attempt {evidence.attempt}: {plainName(settingsInWords(evidence.settings), 240)}
          </p>
        )}
        <p class="row-actions">
          {!champion && (
            <ActionButton
              word="Make it the champion"
              look="small"
              act={() => models.moveChampion(trainingJobKey, number)}
              news={`v${number} is now the champion: new predictions use it.`}
              onDone={onMoved}
            />
          )}
          <Naming model={model} version={version} onNamed={onMoved} />
          <Download
            path={`/api/v1/models/${modelKey}/versions/${number}/file`}
            fileName={`${modelKey}-v${number}.cupel`}
            word="Download the model file"
          />
          {refusalOf("onnx", details?.columns ?? []) === null ? (
            <Download
              path={`/api/v1/models/${modelKey}/versions/${number}/file?format=onnx`}
              fileName={`${modelKey}-v${number}.onnx`}
              word="Download as ONNX"
            />
          ) : (
            <span class="note">Not as ONNX; “In other programs” says why.</span>
          )}
        </p>
      </header>
      <Drawing markup={pairs(versionFigures(details?.holdout.rows ?? null, { ...version, ...evidence }))} />
      {evidence !== undefined && details !== null && (
        <>
          <Figure title="Decisions by class" markup={confusionFigure(evidence, labels)} />
          <Figure title="Precision and recall" markup={classTable(evidence, labels)} />
          <Figure title="Calibration" markup={calibrationFigure(evidence)} />
          <Figure
            title="Importance of columns"
            markup={importanceFigure({ ...evidence, objective: details.objective })}
          />
        </>
      )}
    </article>
  );
}

function Figure({ title, markup }: { title: string; markup: Markup }) {
  return (
    <div>
      <h4>{title}</h4>
      <Drawing markup={markup} />
    </div>
  );
}
