// The one page of the dashboard: its script draws everything. Addresses are
// relative, so that they hold below any base path.

export interface PageParts {
  script: string;
  /** Parts that the script needs at once: the page asks for them together with it. */
  alsoNeeded: readonly string[];
  styles: string;
  icon: string;
}

/** Each part by its address. */
export function dashboardPage({ script, alsoNeeded, styles, icon }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cupel</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${styles}">
<script type="module" src="${script}"></script>${alsoNeeded.map((part) => `\n<link rel="modulepreload" href="${part}">`).join("")}
</head>
<body>
<div id="app"><noscript><p>The dashboard needs JavaScript. The API reference at <a href="docs">docs</a> does without.</p></noscript></div>
</body>
</html>
`;
}

/** The vessel with its bead: of the report's top bar, in colours that do on any tab. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M3 9h18l-3 11H6Z" fill="none" stroke="#8f877b" stroke-width="2" stroke-linejoin="round"/><ellipse cx="12" cy="9" rx="5.5" ry="2.6" fill="#c46a2c"/></svg>';
