// The dashboard's entry point in the browser.
import { render } from "preact";
import { place } from "../browser/router.ts";
import { session } from "../browser/session.ts";
import { applyTheme } from "../browser/theme.ts";
import { writeNumbersAsIn } from "../common/numbers.ts";
import { askFor } from "./screens.ts";
import { Shell } from "./shell.tsx";

// While the frame is drawn, what the screen needs is on its way.
if (session.value !== null) askFor(place.value.path);
applyTheme();
// Tables and pictures write 0,5 where the reader does; all words are English.
writeNumbersAsIn(navigator.language);
const root = document.getElementById("app")!;
root.replaceChildren();
render(<Shell />, root);
