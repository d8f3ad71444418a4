// Addresses on this server, below its base path.

/** The folder that the page was loaded from. */
const BASE = new URL(".", document.baseURI);
export const BASE_ADDRESS = BASE.href;

/** The address of an API path such as `/api/v1/datasets`. Empty query fields are left out. */
export function apiAddress(path: `/${string}`, query: Readonly<Record<string, string | number | undefined>> = {}): URL {
  const address = new URL(`.${path}`, BASE);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  }
  return address;
}

/**
 * The same path on the server that this page came from. The API writes addresses with the name its operator configured,
 * which may differ from the one in the browser; a signature covers neither name nor scheme (D33).
 */
export function onThisServer(given: string): URL {
  const start = given.indexOf("/api/v1/");
  return new URL(`.${given.slice(start)}`, BASE);
}
