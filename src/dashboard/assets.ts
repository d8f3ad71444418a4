// What the dashboard consists of as files: the page, and its parts under names that change with their content.
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { dashboardPage, ICON } from "./page.ts";
import { loadScript } from "./script.ts";
import { DASHBOARD_STYLES } from "./styles.ts";

export interface Asset {
  contentType: string;
  /** Changes with every byte; with its quotation marks. */
  etag: string;
  /** By content coding; `identity` is the content itself. */
  bodies: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>;
}

/** The best first. */
export const CODINGS = ["br", "gzip", "identity"] as const;
type Coding = (typeof CODINGS)[number];

export interface Dashboard {
  page: Asset;
  /** By name, such as `dashboard-3f2a9c1b7d60.js`. */
  parts: ReadonlyMap<string, Asset>;
}

const FOLDER = "assets";
const BROTLI_QUALITY = 9;

let made: Promise<Dashboard> | null = null;

/** Made at the first use, and kept: about 0.1 s from source, a few milliseconds in the executable. */
export function loadDashboard(): Promise<Dashboard> {
  made ??= makeDashboard().catch((fault) => {
    // Another request may have better luck: of a disk that was full, say.
    made = null;
    throw fault;
  });
  return made;
}

async function makeDashboard(): Promise<Dashboard> {
  const { main, alsoNeeded, texts } = await loadScript();
  const styles = asset(DASHBOARD_STYLES, "text/css; charset=utf-8");
  const icon = asset(ICON, "image/svg+xml");
  const names = {
    styles: `dashboard-${shortHash(styles)}.css`,
    icon: `icon-${shortHash(icon)}.svg`,
  };
  const page = dashboardPage({
    script: `${FOLDER}/${main}`,
    alsoNeeded: alsoNeeded.map((name) => `${FOLDER}/${name}`),
    styles: `${FOLDER}/${names.styles}`,
    icon: `${FOLDER}/${names.icon}`,
  });
  return {
    page: asset(page, "text/html; charset=utf-8"),
    parts: new Map([
      ...Object.entries(texts).map(([name, text]) => [name, asset(text, "text/javascript; charset=utf-8")] as const),
      [names.styles, styles],
      [names.icon, icon],
    ]),
  };
}

function asset(text: string, contentType: string): Asset {
  const identity = new TextEncoder().encode(text);
  return {
    contentType,
    etag: `"${new Bun.CryptoHasher("sha256").update(identity).digest("hex").slice(0, 24)}"`,
    bodies: {
      identity,
      gzip: new Uint8Array(gzipSync(identity, { level: 9 })),
      br: new Uint8Array(
        brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      ),
    },
  };
}

function shortHash({ etag }: Asset): string {
  return etag.slice(1, 13);
}
