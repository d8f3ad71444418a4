// Light, dark or as the system has it: the choice stays in this browser.
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
    // Without a storage the choice lasts as long as the page.
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
