// The form of an answer that a client prefers (RFC 9110, section 12.5.1).

/**
 * The best of some content types (or codings) for an `Accept` header; null if it accepts none of them. Among equals the
 * first wins, and without a header all are equal.
 */
export function preferredForm<Form extends string>(accept: string | null, forms: readonly Form[]): Form | null {
  if (accept === null || accept.trim() === "") return forms[0] ?? null;
  // Reversed, so that the first of two mentions of a type counts.
  const qualities = new Map(accept.split(",").reverse().map(readPreference));
  // The most exact mention of a type counts: its own name, then its family, then everything.
  const qualityOf = (form: Form) =>
    qualities.get(form) ?? qualities.get(`${form.split("/")[0]}/*`) ?? qualities.get("*/*") ?? 0;
  const accepted = forms.filter((form) => qualityOf(form) > 0);
  return accepted.sort((a, b) => qualityOf(b) - qualityOf(a))[0] ?? null;
}

function readPreference(part: string): [type: string, quality: number] {
  const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return [type, Number.isFinite(quality) ? quality : 0];
}
