// The dashboard's entry point in the browser.
import { render } from "preact";
import { writeNumbersAsIn } from "../numbers.ts";
import { Shell } from "./shell.tsx";
import { applyTheme } from "./theme.ts";

applyTheme();
// Tables and pictures write 0,5 where the reader does; all words are English.
writeNumbersAsIn(navigator.language);
const root = document.getElementById("app")!;
root.replaceChildren();
render(<Shell />, root);
