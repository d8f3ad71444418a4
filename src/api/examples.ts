// The server, keys and the time of the examples in the OpenAPI document.

export const EXAMPLE_SERVER = "https://cupel.example.org";

export const EXAMPLES = {
  datasetKey: "0d5c1a52-6a0f-4c57-8a3b-5f2f9f7f1f10",
  modelKey: "c3b7d7a0-2f7f-4a2e-9c5d-9d0a3e1b4c55",
  trainingJobKey: "5b8f1d53-93f4-4a31-9d6c-0f6b8c1d7e21",
  userKey: "7f0f7f5d-3b9a-4f0a-8a44-1f6f0f2f3e11",
  createdOn: "2027-01-15T09:30:00.000Z",
} as const;
