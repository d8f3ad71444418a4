// Which form of an answer a client would rather have (RFC 9110, section 12.5.1).

interface Preference {
  type: string;
  quality: number;
}

/**
 * The best of some content types for an `Accept` header; null where it takes none of them. Among equals the first wins, and
 * without a header all are equal.
 */
export function preferredForm(accept: string | null, forms: readonly string[]): string | null {
  const [first = null] = forms;
  if (accept === null || accept.trim() === "") return first;
  const preferences = accept.split(",").map(readPreference);
  let best: string | null = null;
  let bestQuality = 0;
  for (const form of forms) {
    const quality = qualityOf(form, preferences);
    if (quality > bestQuality) {
      best = form;
      bestQuality = quality;
    }
  }
  return best;
}

function readPreference(part: string): Preference {
  const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}

/** The most exact mention of a type counts: its own name, then its family, then everything. */
function qualityOf(form: string, preferences: readonly Preference[]): number {
  const family = `${form.split("/")[0]}/*`;
  for (const mention of [form, family, "*/*"]) {
    const found = preferences.find(({ type }) => type === mention);
    if (found !== undefined) return found.quality;
  }
  return 0;
}
