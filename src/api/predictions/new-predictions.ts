// Creates predictions by either of two routes (contract 4.6); the file is checked before the answer.

import { randomUUID } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { statePaths } from "../../../data/files/state-folder.ts";
import type { Prediction } from "../../../data/predictions.ts";
import { MOST_REASONS } from "../../../workers/scoring/model-cache.ts";
import { readFields } from "../../http/fields.ts";
import { sentFileName } from "../../http/file-names.ts";
import { MOST_UPLOAD_BYTES } from "../../http/limits.ts";
import type { ProblemCode } from "../../http/problem-codes.ts";
import { CsvPart, Key, named } from "../../http/schemas.ts";
import { FORM_PROBLEMS, withForm } from "../../receiving/multipart.ts";
import { type Call, type RawBody, type Route, route } from "../../routing/route.ts";
import { created } from "../audited.ts";
import { EXAMPLE_SERVER } from "../examples.ts";
import type { Services } from "../services.ts";
import { PredictionStatus } from "../statuses.ts";
import { HasHeader, MOST_NAME_CHARACTERS } from "../table-settings.ts";
import { PREDICTION_PROBLEMS } from "../uploads/uploads.ts";
import { insertChecked, requireAnswering } from "./checked-prediction.ts";
import { PREDICTION_EXAMPLE } from "./prediction-files.ts";

const Created = Type.Object({
  predictionKey: Key,
  status: PredictionStatus,
  predictionCreationProgressUrl: Type.String({ description: "Where to poll." }),
});

named({ CreatedPrediction: Created });

export type CreatedPrediction = Static<typeof Created>;

const CREATED_EXAMPLE = {
  predictionKey: PREDICTION_EXAMPLE.predictionKey,
  status: "PENDING",
  predictionCreationProgressUrl: `${EXAMPLE_SERVER}/api/v1/predictions/${PREDICTION_EXAMPLE.predictionKey}/progress`,
} as const satisfies Static<typeof Created>;

const ANSWER = {
  status: 201,
  description: "The prediction, waiting for its turn.",
  schema: Created,
  example: CREATED_EXAMPLE,
  headers: { location: "The prediction." },
} as const;

/** Fields of the form beside its file. */
const FORM_FIELDS = {
  hasHeader: HasHeader,
  keyColumn: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MOST_NAME_CHARACTERS,
      description: "A column whose values name the rows: labels that come later find their rows by it.",
      "x-decision": "D121",
    }),
  ),
};

export const REASONS_QUERY = {
  reasons: Type.Integer({
    minimum: 0,
    maximum: MOST_REASONS,
    default: 0,
    description:
      "Columns, and differences of two, named for each row that moved its decision the most: " +
      "`reason_1`, `reason_1_effect` and so on behind the probabilities, " +
      "with `reason_1_words` where the model reads texts and `reason_1_parts` where it reads parts of dates or texts, " +
      "and no more than the model has of them. " +
      "The prediction ends FAILED where the model's trees are too large for that.",
    "x-decision": "D111",
  }),
};

const CREATION_PROBLEMS: readonly ProblemCode[] = ["NOT_FOUND", ...PREDICTION_PROBLEMS, ...FORM_PROBLEMS];

export function newPredictionRoutes(services: Services): Route[] {
  return [createForModelRoute(services), createRoute(services)];
}

function createForModelRoute(services: Services): Route {
  return route({
    method: "POST",
    path: "/api/v1/predictions/models/{modelKey}",
    operationId: "createPredictionForModel",
    tag: "Predictions",
    summary: "Predict the rows of a CSV file",
    description:
      "The file has the feature columns of the training data, without the label. " +
      "Its name names the prediction and its result. " +
      "Its header and the rows of its first megabyte are checked before the answer; then poll the progress. " +
      "It may have another delimiter and another notation of numbers than the training file. " +
      "It uses the model's present champion, even if the champion is moved later.",
    decisions: ["D10", "D20", "D30", "D31", "D43", "D48", "D57", "D58", "D75", "D111"],
    scopes: ["predict"],
    query: REASONS_QUERY,
    rawBodies: [formWith("file")],
    answer: ANSWER,
    problems: CREATION_PROBLEMS,
    handle: (call) =>
      create(call, services, { ...call.query, modelKey: call.params.modelKey, filePart: "file", filterColumns: false }),
  });
}

function createRoute(services: Services): Route {
  return route({
    method: "POST",
    path: "/api/v1/predictions",
    operationId: "createPrediction",
    tag: "Predictions",
    summary: "Predict the rows of a CSV file, with the columns that a refinement dropped",
    description: "Like the other route, with the model in the query and the file part named exactly `_file`.",
    decisions: ["D10", "D20", "D23", "D30", "D31", "D43", "D48", "D57", "D58", "D111"],
    scopes: ["predict"],
    query: {
      modelKey: Type.String({ format: "uuid", description: "The model.", "x-decision": "D23" }),
      filterColumns: Type.Boolean({
        default: false,
        description:
          "Strip the columns that the refinement dropped. " +
          "The file's columns are then taken by position, so they must be in the order of the refined files; " +
          "a file without the dropped columns is taken so too. Names in another order are matched, with a warning. " +
          "Only for models whose dataset came from a refinement.",
        "x-decision": "D23, D43",
      }),
      ...REASONS_QUERY,
    },
    rawBodies: [formWith("_file")],
    answer: ANSWER,
    problems: [...CREATION_PROBLEMS, "FILTER_NOT_APPLICABLE"],
    handle: (call) => create(call, services, { ...call.query, filePart: "_file" }),
  });
}

interface PredictionRequest {
  modelKey: string;
  filePart: string;
  filterColumns: boolean;
  reasons: number;
}

/** Refuses what it can before it reads the file, and keeps nothing of a refused one. */
async function create(call: Call, services: Services, request: PredictionRequest): Promise<CreatedPrediction> {
  const { modelKey, filePart, filterColumns, reasons: reasonCount } = request;
  const { userKey } = call.caller;
  const { state, wake } = services;
  const answering = requireAnswering(services, { ...request, userKey });
  const key = randomUUID();
  const inputPath = statePaths.file(key);
  const shape = {
    filePart,
    leastFileBytes: 1,
    mostFileBytes: MOST_UPLOAD_BYTES,
    largerFiles: "Send a larger one in parts, each with the header line.",
    targetPath: state.locate(inputPath),
  };
  const answer = await withForm(call, services, shape, (form) => {
    call.once.formIs(form);
    const { hasHeader, keyColumn = null } = readFields(FORM_FIELDS, form.fields, "form");
    const fileName = sentFileName(form.fileName, filePart);
    const settings = { key, userKey, modelKey, filterColumns, hasHeader, reasonCount, fileName, keyColumn };
    const requested = { ...settings, inputPath, inputBytes: form.sizeBytes };
    return insertChecked(services, requested, answering, filePart, (insert, eventOf) =>
      created(services, call, insert, eventOf, (row) => showCreated(call, row)),
    );
  });
  wake();
  return answer;
}

function showCreated({ headers, url }: Pick<Call, "headers" | "url">, { key, status }: Prediction): CreatedPrediction {
  headers.set("location", url(`/api/v1/predictions/${key}`));
  return { predictionKey: key, status, predictionCreationProgressUrl: url(`/api/v1/predictions/${key}/progress`) };
}

function formWith(filePart: string): RawBody {
  return {
    contentType: "multipart/form-data",
    filePart,
    description:
      `One file part named \`${filePart}\`: the unlabelled CSV; ` +
      "and fields for a file whose first row is data, and for the column of its keys.",
    schema: Type.Object({ ...FORM_FIELDS, [filePart]: CsvPart("The unlabelled CSV.") }),
  };
}
