// Code samples of an operation, made from the operation itself: curl, Python (requests) and JavaScript (fetch).
import { OptionalKind } from "@sinclair/typebox";
import { isCreating, type Route } from "./route.ts";

export interface CodeSample {
  lang: "Shell" | "Python" | "JavaScript";
  label: string;
  source: string;
}

/** A request in parts, from which samples in all three languages are made. */
interface Sample {
  method: string;
  /** Pieces of the address: texts, and names of what the reader fills in, such as `datasetKey`. */
  address: readonly (string | { name: string })[];
  headers: readonly (readonly [name: string, value: string])[];
  needsToken: boolean;
  makesOnce: boolean;
  json: unknown;
  /** The part of a form that has the file. */
  filePart: string | null;
  /** The body is the file. */
  sendsFile: boolean;
  answer: "json" | "file" | "none";
}

export function codeSamples(route: Route): CodeSample[] {
  const sample = sampleOf(route);
  return [
    { lang: "Shell", label: "curl", source: curl(sample) },
    { lang: "Python", label: "Python", source: python(sample) },
    { lang: "JavaScript", label: "JavaScript", source: javaScript(sample) },
  ];
}

function sampleOf(route: Route): Sample {
  const { method, isOpen, requestHeaders, rawBodies, bodyExample, answer } = route;
  const jsonBody = rawBodies.find(({ contentType }) => contentType === "application/json");
  const json = bodyExample ?? jsonBody?.example;
  const raw = json === undefined ? rawBodies[0] : undefined;
  const exact = Object.entries(requestHeaders).flatMap(([name, meaning]) => {
    const value = /^Must be `([^`]+)`\.$/.exec(meaning)?.[1];
    return value === undefined ? [] : [[name, value] as const];
  });
  const isFile = answer.forms !== undefined && answer.forms[0] !== "application/json";
  return {
    method,
    address: addressOf(route),
    headers: [
      ...(raw?.filePart === undefined && raw !== undefined ? [["Content-Type", raw.contentType] as const] : []),
      ...exact,
    ],
    needsToken: !isOpen,
    makesOnce: isCreating(route),
    json,
    filePart: raw?.filePart ?? null,
    sendsFile: raw !== undefined && raw.filePart === undefined,
    answer: isFile ? "file" : answer.schema === undefined ? "none" : "json",
  };
}

/** The path with its parameters, and the query's fields that must be there. A signed address is given whole. */
function addressOf({ path, query, readsQuery }: Route): Sample["address"] {
  if (!readsQuery) return [{ name: "uploadUrl" }];
  const parts = path.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : { name: piece }));
  const needed = Object.entries(query).filter(
    ([, schema]) => !(OptionalKind in schema) && schema.default === undefined,
  );
  const fields = needed.flatMap(([name], index) => [`${index === 0 ? "?" : "&"}${name}=`, { name }]);
  return [{ name: "server" }, ...parts, ...fields];
}

function curl({ method, address, headers, needsToken, makesOnce, json, filePart, sendsFile, answer }: Sample): string {
  const url = address.map((piece) => (typeof piece === "string" ? piece : `$${inCapitals(piece.name)}`)).join("");
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl --fail-with-body -X ${method} "${url}"`,
    ...(needsToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(makesOnce ? [`-H "Idempotency-Key: $(uuidgen)"`] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(json))}`]),
    ...(filePart === null ? [] : [`-F '${filePart}=@rows.csv'`]),
    ...(sendsFile ? ["--data-binary @rows.csv"] : []),
    ...(answer === "file" ? ["-o answer"] : []),
  ];
  return lines.join(" \\\n  ");
}

function python(sample: Sample): string {
  const { method, address, needsToken, makesOnce, json, filePart, sendsFile, answer } = sample;
  const url = address.map((piece) => (typeof piece === "string" ? piece : `{${inSnakeCase(piece.name)}}`)).join("");
  const headers = [
    ...(needsToken ? [`"Authorization": f"Bearer {token}"`] : []),
    ...(makesOnce ? [`"Idempotency-Key": str(uuid.uuid4())`] : []),
    ...sample.headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const lines = [
    `"${method}",`,
    `f"${url}",`,
    ...(headers.length > 0 ? [`headers={${headers.join(", ")}},`] : []),
    ...(json === undefined ? [] : [`json=${pythonValue(json)},`]),
    ...(filePart === null ? [] : [`files={"${filePart}": open("rows.csv", "rb")},`]),
    ...(sendsFile ? [`data=open("rows.csv", "rb"),`] : []),
  ];
  const request = `answer = requests.request(\n${lines.map((line) => `    ${line}\n`).join("")})\nanswer.raise_for_status()`;
  const shown = { json: "\nprint(answer.json())", file: '\nopen("answer", "wb").write(answer.content)', none: "" };
  return `import requests\n${makesOnce ? "import uuid\n" : ""}\n${request}${shown[answer]}`;
}

function javaScript(sample: Sample): string {
  const { method, address, needsToken, makesOnce, json, filePart, sendsFile, answer } = sample;
  const url = address.map((piece) => (typeof piece === "string" ? piece : `\${${piece.name}}`)).join("");
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the sample, not of ours
    ...(needsToken ? ["Authorization: `Bearer ${token}`"] : []),
    ...(makesOnce ? [`"Idempotency-Key": crypto.randomUUID()`] : []),
    ...(json === undefined ? [] : [`"Content-Type": "application/json"`]),
    ...sample.headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const lines = [
    `method: "${method}",`,
    ...(headers.length > 0 ? [`headers: { ${headers.join(", ")} },`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(json)}),`]),
    ...(filePart === null && !sendsFile ? [] : [`body: ${filePart === null ? "file" : "form"},`]),
  ];
  const opening = filePart === null ? "" : `const form = new FormData();\nform.append("${filePart}", file);\n`;
  const request = `const answer = await fetch(\`${url}\`, {\n${lines.map((line) => `  ${line}\n`).join("")}});`;
  const shown = {
    json: "\nconsole.log(await answer.json());",
    file: "\nconst bytes = await answer.bytes();",
    none: "",
  };
  return `${opening}${request}\nif (!answer.ok) throw new Error(await answer.text());${shown[answer]}`;
}

function pythonValue(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonValue(inner)}`)
    .join(", ")}}`;
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function inCapitals(name: string): string {
  return inSnakeCase(name).toUpperCase();
}
