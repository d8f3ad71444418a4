// The address of a screen: the part after `#`, which the server does not see, so any base path works.
import { computed, signal } from "@preact/signals";

export interface Place {
  /** Begins with `/`, such as `/datasets/0d5c…`. */
  path: string;
  query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const place = computed<Place>(() => {
  const [path = "", query = ""] = hash.value.replace(/^#/, "").split("?", 2);
  return { path: path.startsWith("/") ? path : "/", query: new URLSearchParams(query) };
});

/** The properties of every screen. */
export interface ScreenProps {
  /** The parts of the path that its pattern names. */
  params: Readonly<Record<string, string>>;
}

export type QueryFields = Readonly<Record<string, string | number | null | readonly string[]>>;

/** The `href` of a place. Fields that are null, empty or 0 are left out; a list becomes one field per entry. */
export function linkTo(path: string, query: QueryFields = {}): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== null && each !== "" && each !== 0)
      .map((each): [string, string] => [name, String(each)]),
  );
  const text = new URLSearchParams(fields).toString();
  return text === "" ? `#${path}` : `#${path}?${text}`;
}

/** Goes to a place. `replace` leaves no entry in the history, such as for a half-typed search. */
export function goTo(link: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", link);
    hash.value = link;
  } else {
    location.hash = link;
  }
}

/** The opposite of `matchPath`. */
export function fillPath(pattern: `/${string}`, params: Readonly<Record<string, string>>): `/${string}` {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!) as `/${string}`;
}

/** The parts of a path named by a pattern such as `/datasets/{datasetKey}`; null if it does not match. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const givenParts = path.split("/");
  if (wanted.length !== givenParts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined && givenParts[index] !== "") params[name] = givenParts[index]!;
    else if (part !== givenParts[index]) return null;
  }
  return params;
}
