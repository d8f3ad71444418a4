// Every code of error answers: its HTTP status, its title and what to do.

/** A published part of the API (D26): codes are added, never renamed, and none changes its status. */
export const PROBLEMS = {
  MALFORMED_JSON: { status: 400, title: "The body is not JSON", remedy: "Correct the body at the position given." },
  VALIDATION_FAILED: {
    status: 400,
    title: "The request does not fit its description",
    remedy: "Correct each field named in `errors`.",
  },
  MALFORMED_MULTIPART: {
    status: 400,
    title: "The form cannot be read",
    remedy: "Send multipart/form-data with exactly the parts that the operation describes.",
  },
  FILE_UNUSABLE: {
    status: 400,
    title: "The file cannot be used",
    remedy: "Correct the file at the line and column given.",
  },
  COLUMN_MISMATCH: {
    status: 400,
    title: "The columns are not those of the training data",
    remedy: "Send the feature columns that the model was trained on.",
  },
  UNREADABLE_COLUMN: {
    status: 400,
    title: "Nearly no value of a column can be read",
    remedy:
      "Write the column's numbers or dates like those of the training data: numbers in any decimal notation, dates also as YYYY-MM-DD.",
  },
  FILTER_NOT_APPLICABLE: {
    status: 400,
    title: "The column filter has nothing to go by",
    remedy: "Use the filter only where the model's dataset came from a refinement.",
  },
  VERSION_NOT_KEPT: {
    status: 400,
    title: "The run did not keep this version",
    remedy: "Choose one of the versions in the model's detail.",
  },
  UPLOAD_HEADER: {
    status: 400,
    title: "A required header is missing or different",
    remedy: "Send the required header as it was given with the upload address.",
  },
  FILE_TOO_SMALL: { status: 400, title: "The file is too small", remedy: "Send a file within the size range." },
  UPLOAD_INTERRUPTED: {
    status: 400,
    title: "The body ended before its length",
    remedy: "Send the file again; of an upload in pieces go on at its offset.",
  },
  INVALID_TOKEN: {
    status: 401,
    title: "No valid credential",
    remedy: "Log in at POST /api/login, then send `Authorization: Bearer <access_token>`.",
  },
  TOKEN_EXPIRED: {
    status: 401,
    title: "The access token has expired",
    remedy: "Log in again at POST /api/login, then send the request again with the new token.",
  },
  LOGIN_FAILED: { status: 401, title: "The login failed", remedy: "Check the user name and the password." },
  FORBIDDEN: {
    status: 403,
    title: "The credential does not allow this",
    remedy: "Use a credential with the right that the detail names.",
  },
  SIGNATURE_INVALID: {
    status: 403,
    title: "The upload address is not one of ours",
    remedy: "Use the address exactly as it was given.",
  },
  SIGNATURE_EXPIRED: {
    status: 403,
    title: "The upload address has expired",
    remedy: "Have it renewed at POST /api/v1/uploads/{key}/{kind}/renewal: upload addresses are valid for one hour.",
  },
  NOT_FOUND: { status: 404, title: "There is nothing here", remedy: "Check the path and the key." },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: "The method does not exist here",
    remedy: "Use one of the methods in the `Allow` header.",
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: "No form of the answer is acceptable",
    remedy: "Name one of the answer's content types in `Accept`, or leave the header out.",
  },
  REQUEST_TOO_SLOW: {
    status: 408,
    title: "The body arrives too slowly",
    remedy: "Send the file again on a faster line; of an upload in pieces go on at its offset.",
  },
  NAME_TAKEN: { status: 409, title: "The name is taken", remedy: "Choose another name, or delete what has it." },
  UPLOADS_MISSING: {
    status: 409,
    title: "Files are missing",
    remedy: "Upload the files that the detail names, then start.",
  },
  RUN_CANCELLED: { status: 409, title: "The run was cancelled", remedy: "Create a new one, and start that." },
  ALREADY_STARTED: { status: 409, title: "The run was started before", remedy: "Poll its progress." },
  UPLOAD_CLOSED: {
    status: 409,
    title: "The file can no longer be replaced",
    remedy: "Create a new resource for another file.",
  },
  OFFSET_CONFLICT: {
    status: 409,
    title: "The bytes do not go on where the upload ends",
    remedy: "Ask for the offset with HEAD, and go on from there.",
  },
  OWN_ACCOUNT: {
    status: 409,
    title: "Nobody can do this to themselves",
    remedy: "Ask another administrator, or use `cupel user` on the server.",
  },
  NOT_READY: { status: 409, title: "Not finished yet", remedy: "Poll the progress until the state is terminal." },
  NOT_CANCELLABLE: {
    status: 409,
    title: "Nothing is left to cancel",
    remedy: "Read the current state: it is terminal.",
  },
  STILL_RUNNING: {
    status: 409,
    title: "The run is still running",
    remedy: "Cancel it first, then delete it once it is CANCELLED.",
  },
  IN_USE: {
    status: 409,
    title: "It is in use",
    remedy: "End what uses it as the detail says, or wait until it has ended; then delete.",
  },
  DATASET_NOT_READY: {
    status: 409,
    title: "The dataset is not ready",
    remedy: "Poll the dataset until its status is COMPLETED.",
  },
  LABEL_CHANGED: {
    status: 409,
    title: "The dataset has another label",
    remedy: "Read the dataset again, then decide.",
  },
  LABELS_UNFIT: {
    status: 409,
    title: "The labels do not do for a successor",
    remedy: "Send more labels, or correct those that `errors` names.",
  },
  SUCCESSOR_UNDER_WAY: {
    status: 409,
    title: "A successor is under way",
    remedy: "Wait until it has ended, or delete it.",
  },
  REQUEST_UNDER_WAY: {
    status: 409,
    title: "The first request with this key is still at work",
    remedy: "Wait for the seconds in `Retry-After`, then send the request again with the same Idempotency-Key.",
  },
  ANSWER_NOT_KEPT: {
    status: 409,
    title: "It was done, and its answer had a secret that is not kept",
    remedy: "Delete what `Location` names, then send the request with another Idempotency-Key.",
  },
  NO_MODEL: {
    status: 409,
    title: "The job has no model",
    remedy: "Wait until an attempt has finished, or train anew.",
  },
  NOT_EXPORTABLE: {
    status: 409,
    title: "The model cannot leave in this form",
    remedy: "Take the form that the detail names instead.",
  },
  FILE_REMOVED: {
    status: 410,
    title: "The file is kept no longer",
    remedy: "Make it again: `GET /api/v1/limits` says how long this server keeps files.",
  },
  LENGTH_REQUIRED: {
    status: 411,
    title: "The length of the body is not given",
    remedy: "Send `Content-Length`; chunked uploads are not taken.",
  },
  TUS_VERSION: {
    status: 412,
    title: "This version of the tus protocol is not spoken here",
    remedy: "Send the header `Tus-Resumable` with the version in `Tus-Version`.",
  },
  BODY_TOO_LARGE: { status: 413, title: "The body is too large", remedy: "Send at most what the detail allows." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: "The content type is not taken here",
    remedy: "Send one of the content types that the detail names.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    title: "The range lies outside the file",
    remedy: "Ask for a range within the size in `Content-Range`.",
  },
  HOST_NOT_ALLOWED: {
    status: 421,
    title: "This server does not go by that name",
    remedy: "Use the server's own address, or start it with --allowed-hosts or --public-url for this name.",
  },
  KEY_REUSED: {
    status: 422,
    title: "The Idempotency-Key belongs to another request",
    remedy: "Send a new request with a new key; a repeat must have the same path, query and body.",
  },
  MEMORY_BUDGET: {
    status: 422,
    title: "The work takes more memory than the server gives one job",
    remedy: "Send fewer rows or columns, or have the server started with a larger memory budget or fewer workers.",
  },
  UPLOAD_BUSY: {
    status: 423,
    title: "Another request is sending to this upload",
    remedy: "Send one piece at a time; HEAD ends the one that is under way.",
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: "Too many requests",
    remedy: "Wait for the seconds in `Retry-After`.",
  },
  INTERNAL: {
    status: 500,
    title: "A fault of the server",
    remedy: "Try again; give `requestId` to whoever runs the server if it stays.",
  },
  BUSY: {
    status: 503,
    title: "Too much of this is under way",
    remedy: "Wait for the seconds in `Retry-After`, then send the request again.",
  },
  UNAVAILABLE: { status: 503, title: "The server is not ready", remedy: "Try again after a while." },
  QUOTA_EXCEEDED: {
    status: 507,
    title: "There is no room left for this",
    remedy: "Delete what nobody needs; `GET /api/v1/usage` says what takes the room.",
  },
  STORAGE_FULL: {
    status: 507,
    title: "The server's disk is full",
    remedy:
      "Delete models and predictions that nobody needs, or free space on the server, then send the request again.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

interface ProblemKind {
  status: number;
  title: string;
  remedy: string;
}
