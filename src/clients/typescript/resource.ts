// Something on the server that has a key: what the server said of it last, and how to ask again.
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { only } from "./options.ts";

/** `Detail` is what the server says of one alone, `About` what it says of it in lists too. */
export abstract class Resource<About extends object, Detail extends About = About> {
  readonly key: string;
  /** As it was when it was last asked for. */
  about: About;
  /** @internal */
  protected readonly connection: Connection;
  /** @internal */
  protected readonly path: string;

  /** @internal */
  constructor(connection: Connection, list: string, key: string, about: About) {
    this.connection = connection;
    this.key = key;
    this.path = `${list}/${key}`;
    this.about = about;
  }

  /** Asks how it is now. @throws CupelProblem, or the signal's reason */
  async look(options: AskOptions = {}): Promise<Detail> {
    const detail = await this.connection.json<Detail>("GET", this.path, only(ASKING, options));
    this.about = detail;
    return detail;
  }
}
