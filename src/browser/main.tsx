// The dashboard's entry point in the browser.
import { render } from "preact";
import { Shell } from "./shell.tsx";
import { applyTheme } from "./theme.ts";

applyTheme();
const root = document.getElementById("app")!;
root.replaceChildren();
render(<Shell />, root);
