// Options by their names: one that there is not is refused, since it would do nothing without a word.

/** The names of all options of a method; the compiler misses those that are not there. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/** How much of two names must agree, from 0 to 1, for one to be meant by the other. */
const LIKENESS = 0.4;

/** The options as they are. @throws TypeError for a name that there is not */
export function only<Options extends object>(names: Names<Options>, options: Options): Options {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const known = Object.keys(names);
    const near = nearestOf(name, known);
    const hint = near === null ? `There is ${known.join(", ")}.` : `Did you mean ${near}?`;
    throw new TypeError(`There is no option ${name}. ${hint}`);
  }
  return options;
}

/** Picks the options that another method has too. */
export function partOf<Part extends object>(names: Names<Part>, options: Part): Part {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(names, name))) as Part;
}

/** The name that shares the most pairs of letters: of misspelt names, and of parts such as `group`. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const wanted = pairsOf(name);
  let nearest: string | null = null;
  let most = LIKENESS;
  for (const one of known) {
    const pairs = pairsOf(one);
    const shared = pairs.filter((pair) => wanted.includes(pair)).length;
    const likeness = (2 * shared) / (wanted.length + pairs.length);
    if (likeness > most) [nearest, most] = [one, likeness];
  }
  return nearest;
}

function pairsOf(name: string): string[] {
  const letters = name.toLowerCase();
  return [...letters.slice(1)].map((_, at) => letters.slice(at, at + 2));
}
