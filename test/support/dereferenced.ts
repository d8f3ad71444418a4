// An OpenAPI document without references, for tests that look at what a client meets in one place.

type Json = Record<string, unknown>;

/**
 * With a copy of what each `$ref` names in its place; fields beside a `$ref`
 * stay. The document must not refer in circles.
 */
export function dereferenced(document: Json): Json {
  return resolved(document, document) as Json;
}

function resolved(value: unknown, document: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...fields } = value as Json;
  const own = Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, resolved(inner, document)]));
  if (typeof $ref !== "string") return own;
  const path = $ref.replace("#/", "").split("/");
  const target = path.reduce<unknown>((inner, name) => (inner as Json)[name], document);
  if (target === undefined) throw new Error(`${$ref} is nowhere`);
  return { ...(resolved(target, document) as Json), ...own };
}
