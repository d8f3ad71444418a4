// Addresses of this server, below whatever base path it has.

/** Where the page is: everything else is found from here. */
const BASE = new URL(".", document.baseURI);

/** An address of the API by its path, such as `/api/v1/datasets`. Empty fields of the query are left out. */
export function apiAddress(path: `/${string}`, query: Readonly<Record<string, string | number | undefined>> = {}): URL {
  const address = new URL(`.${path}`, BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  }
  return address;
}

/**
 * The same place on the server that this page came from. Addresses in answers name the server as its operator told it to,
 * which may be another name than the one in the browser; a signature covers neither name nor scheme (D33).
 */
export function onThisServer(given: string): URL {
  const start = given.indexOf("/api/v1/");
  return new URL(`.${given.slice(start)}`, BASE);
}
