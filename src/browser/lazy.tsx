// A screen whose code is loaded when it is first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../components/states.tsx";
import type { ScreenProps } from "./router.ts";

/** `load` is asked again only where it failed. */
export function lazily(load: () => Promise<ComponentType<ScreenProps>>): ComponentType<ScreenProps> {
  let known: ComponentType<ScreenProps> | null = null;
  return function Lazy(props: ScreenProps) {
    const [state, setState] = useState<"loading" | "there" | "failed">(known === null ? "loading" : "there");
    useEffect(() => {
      if (known !== null) return;
      load().then(
        (screen) => {
          known = screen;
          setState("there");
        },
        () => setState("failed"),
      );
    }, []);
    if (state === "failed") return <Missing />;
    if (known === null) return <Loading />;
    const Screen = known;
    return <Screen {...props} />;
  };
}

/** Browsers remember that a part failed, and an upgraded server has others: only a new page helps. */
function Missing() {
  return (
    <div class="banner failed" role="alert">
      <strong>A part of the dashboard did not come.</strong>
      <p>The server cannot be reached, or was upgraded since this page was loaded. You stay signed in.</p>
      <button type="button" class="small" onClick={() => location.reload()}>
        Load the page anew
      </button>
    </div>
  );
}
