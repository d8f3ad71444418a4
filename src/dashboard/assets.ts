// The files of the dashboard: the page, and its parts under names that change with their content.

import { madeOnce } from "../common/embedded.ts";
import { type Asset, asset } from "../http/asset.ts";
import { dashboardPage, ICON } from "./page.ts";
import { loadScript } from "./script.ts";
import { DASHBOARD_STYLES } from "./styles.ts";

export interface Dashboard {
  page: Asset;
  /** By name, such as `dashboard-3f2a9c1b7d60.js`. */
  parts: ReadonlyMap<string, Asset>;
}

const FOLDER = "assets";

/** About 0.1 s from source, a few milliseconds in the executable. */
export const loadDashboard = madeOnce(makeDashboard);

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

function shortHash({ etag }: Asset): string {
  return etag.slice(1, 13);
}
