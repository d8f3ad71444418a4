// The colour theme: light, dark or the system's. The browser remembers the choice.
import { signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED_AS = "cupel.theme";

export const theme = signal<Theme>(storedTheme());

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  try {
    localStorage.setItem(STORED_AS, chosen);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

function storedTheme(): Theme {
  try {
    return THEMES.find((known) => known === localStorage.getItem(STORED_AS)) ?? "system";
  } catch {
    return "system";
  }
}
