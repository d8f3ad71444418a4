// One version of a model with the evidence for it: its figures, decisions and measures by class, calibration, importance.
import type { ModelDetails, VersionDetails } from "../api/model-details.ts";
import type { ModelDetail } from "../api/models.ts";
import { calibrationFigure } from "../charts/calibration.ts";
import { confusionFigure } from "../charts/confusion.ts";
import { importanceFigure } from "../charts/importance.ts";
import { plainName } from "../charts/markup.ts";
import { formatCount, formatEstimate, formatFigure, formatPercent } from "../format.ts";
import { holdoutEstimate } from "../report/measures.ts";
import { settingsInWords } from "../report/settings-words.ts";
import { classTable } from "../report/versions.ts";
import { FamilyIcon } from "./competition.tsx";
import { Download } from "./download.tsx";
import { Drawing } from "./drawing.tsx";
import { Percent, Tip, Undefined } from "./words.tsx";

type Version = ModelDetail["versions"][number];

interface VersionProps {
  model: ModelDetail;
  version: Version;
  /** What its run measured; null where nothing of that is kept. */
  details: ModelDetails | null;
  /** Makes it the champion; null while that is under way. */
  onCrown: (() => void) | null;
}

export function VersionColumn({ model: { modelKey }, version, details, onCrown }: VersionProps) {
  const { version: number, champion } = version;
  const evidence = details?.versions.find((known) => known.version === number);
  const file = `/api/v1/models/${modelKey}/versions/${number}/file` as const;
  return (
    <article class={champion ? "version champion" : "version"} aria-label={`Version ${number}`}>
      <header>
        <h3>
          v{number}
          {champion && <span class="chip copper">Champion</span>}
        </h3>
        <p>
          {evidence !== undefined && <FamilyIcon family={evidence.family} />} {version.algorithm}
        </p>
        {evidence !== undefined && (
          <p class="note">
            Attempt {evidence.attempt}: {plainName(settingsInWords(evidence.settings), 240)}
          </p>
        )}
        <p class="row-actions">
          {!champion && (
            <button type="button" class="small" disabled={onCrown === null} onClick={() => onCrown?.()}>
              Make it the champion
            </button>
          )}
          <Download path={file} fileName={`${modelKey}-v${number}.cupel`} word="Download the model file" />
        </p>
      </header>
      <Figures version={version} evidence={evidence} holdoutRows={details?.holdout.rows ?? null} />
      {evidence !== undefined && details !== null && <Evidence evidence={evidence} details={details} />}
    </article>
  );
}

interface FiguresProps {
  version: Version;
  evidence: VersionDetails | undefined;
  holdoutRows: number | null;
}

function Figures({ version, evidence, holdoutRows }: FiguresProps) {
  const { testPerformance, trainingPerformance, confirmedPerformance, falseDecisions } = version;
  const heldOut = holdoutRows === null ? null : holdoutEstimate(version, holdoutRows);
  return (
    <dl class="pairs">
      <div>
        <dt>
          <Tip word="Held-out" explanation="Accuracy on the 20% kept aside, with its 95% interval" />
        </dt>
        <dd>{heldOut === null ? formatPercent(testPerformance) : formatEstimate(heldOut)}</dd>
      </div>
      <div>
        <dt>
          <Tip
            word="Confirmed"
            explanation="Accuracy of the same settings on two further re-splits: the most honest figure"
          />
        </dt>
        <dd>
          {confirmedPerformance === null ? (
            <Undefined reason="The run ended before the re-splits" />
          ) : (
            formatEstimate(confirmedPerformance)
          )}
        </dd>
      </div>
      <div>
        <dt>Wrong decisions</dt>
        <dd>
          {formatCount(falseDecisions)}
          {holdoutRows !== null && ` of ${formatCount(holdoutRows)}`}
        </dd>
      </div>
      {evidence !== undefined && (
        <div>
          <dt>
            <Tip
              word="Balanced accuracy"
              explanation="The mean of the recalls: every class counts alike, however few rows it has"
            />
          </dt>
          <dd>
            <Percent share={evidence.balancedAccuracy} reason="The holdout holds no row" />
          </dd>
        </div>
      )}
      <div>
        <dt>
          <Tip word="Training" explanation="Accuracy on the 80% that it learned from" />
        </dt>
        <dd>{formatPercent(trainingPerformance)}</dd>
      </div>
      {evidence !== undefined && (
        <div>
          <dt>
            <Tip word="Log-loss" explanation="How far off the probabilities are; 0 is perfect" />
          </dt>
          <dd>{formatFigure(evidence.logLoss)}</dd>
        </div>
      )}
    </dl>
  );
}

function Evidence({ evidence, details }: { evidence: VersionDetails; details: ModelDetails }) {
  const labels = details.classes.map(({ label }) => label);
  return (
    <>
      <div>
        <h4>Decisions by class</h4>
        <Drawing markup={confusionFigure(evidence, labels)} />
      </div>
      <div>
        <h4>Precision and recall</h4>
        <Drawing markup={classTable(evidence, labels)} />
      </div>
      <div>
        <h4>Calibration</h4>
        <Drawing markup={calibrationFigure(evidence)} />
      </div>
      <div>
        <h4>Importance of columns</h4>
        <Drawing markup={importanceFigure(evidence)} />
      </div>
    </>
  );
}
