// A screen whose code is loaded when it is first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Banner, Loading } from "../components/states.tsx";
import type { ScreenProps } from "./router.ts";

/** After a failure, the next visit tries again. */
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

/** Browsers remember a failed part, and an upgraded server has other parts: only loading the page again helps. */
function Missing() {
  return (
    <Banner tone="failed" role="alert" title="A part of the dashboard did not load.">
      <p>The server cannot be reached, or was upgraded after you opened this page. You stay signed in.</p>
      <button type="button" class="small" onClick={() => location.reload()}>
        Reload the page
      </button>
    </Banner>
  );
}
