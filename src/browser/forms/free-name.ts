// A name for something new where the obvious one may be taken.
import { Problem } from "../problem.ts";

const MOST_NAMES = 20;

/** Creates something under the first name of `base`, `base 2` and so on that is free. @throws Problem */
export async function withFreeName<T>(base: string, create: (name: string) => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await create(count === 1 ? base : `${base} ${count}`);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "NAME_TAKEN" || count === MOST_NAMES) throw error;
    }
  }
}
