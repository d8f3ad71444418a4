// The dashboard's entry point in the browser.
import { render } from "preact";
import { writeNumbersAsIn } from "../numbers.ts";
import { askFor } from "../screens/screens.ts";
import { place } from "./router.ts";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { applyTheme } from "./theme.ts";

/** A frame without the screen that is replaced within this time costs more than it shows. */
const FIRST_FRAME_MS = 100;

const asked = session.value === null ? null : askFor(place.value.path);
applyTheme();
// Tables and pictures write 0,5 where the reader does; all words are English.
writeNumbersAsIn(navigator.language);
// Awaiting here would split the script into more parts.
if (asked === null) draw();
else Promise.race([asked, new Promise((resolve) => setTimeout(resolve, FIRST_FRAME_MS))]).then(draw);

function draw(): void {
  const root = document.getElementById("app")!;
  root.replaceChildren();
  render(<Shell />, root);
}
