// The dashboard's entry point in the browser.
import { render } from "preact";
import { writeNumbersAsIn } from "../numbers.ts";
import { askFor } from "../screens/screens.ts";
import { place } from "./router.ts";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { applyTheme } from "./theme.ts";

// While the frame is drawn, what the screen needs is on its way.
if (session.value !== null) askFor(place.value.path);
applyTheme();
// Tables and pictures write 0,5 where the reader does; all words are English.
writeNumbersAsIn(navigator.language);
const root = document.getElementById("app")!;
root.replaceChildren();
render(<Shell />, root);
