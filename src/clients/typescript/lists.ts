// Lists of the server, page by page as they are read.
import { ASKING, type AskOptions, type Connection } from "./connection.ts";
import { type Names, only } from "./options.ts";

export interface ListOptions extends AskOptions {
  /** Only items with this text in their name: of datasets and refinements. */
  search?: string | undefined;
}

const LISTING: Names<ListOptions> = { search: true, ...ASKING };

interface Page {
  total: number;
  nextOffset: number | null;
}

const PAGE_ITEMS = 100;

/** All items of a kind, newest first: `for await (const model of cupel.models)`. */
export abstract class List<Item, About extends object> implements AsyncIterable<Item> {
  /** @internal */
  protected readonly connection: Connection;
  private readonly path: string;
  private readonly name: string;

  /** @internal */
  constructor(connection: Connection, path: string, name: string) {
    this.connection = connection;
    this.path = path;
    this.name = name;
  }

  /** Page by page, as they are asked for. @throws CupelProblem, or the signal's reason */
  async *list(options: ListOptions = {}): AsyncGenerator<Item, void> {
    const { search, signal } = only(LISTING, options);
    for (let offset: number | null = 0; offset !== null; ) {
      const query = { offset, limit: PAGE_ITEMS, search };
      const page: Page & Record<string, unknown> = await this.connection.json("GET", this.path, { query, signal });
      for (const about of page[this.name] as About[]) yield this.itemOf(about);
      offset = page.nextOffset;
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    return this.list();
  }

  /** How many there are. @throws CupelProblem, or the signal's reason */
  async count(options: ListOptions = {}): Promise<number> {
    const { search, signal } = only(LISTING, options);
    const query = { offset: 0, limit: 1, search };
    return (await this.connection.json<Page>("GET", this.path, { query, signal })).total;
  }

  /** One, by its key. @throws CupelProblem NOT_FOUND, or the signal's reason */
  async get(key: string, options: AskOptions = {}): Promise<Item> {
    const path = `${this.path}/${encodeURIComponent(key)}`;
    return this.itemOf(await this.connection.json<About>("GET", path, only(ASKING, options)));
  }

  /** @internal */
  protected abstract itemOf(about: About): Item;
}
