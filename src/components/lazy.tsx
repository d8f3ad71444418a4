// A screen whose code is loaded when it is first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ScreenProps } from "../browser/router.ts";
import { Banner, Loading } from "./states.tsx";

/** `find` returns null until `load` was done. After a failure, the next visit tries again. */
export function lazily(
  load: () => Promise<void>,
  find: () => ComponentType<ScreenProps> | null,
): ComponentType<ScreenProps> {
  return function Lazy(props: ScreenProps) {
    const [state, setState] = useState<"loading" | "there" | "failed">("loading");
    const Screen = find();
    useEffect(() => {
      if (Screen === null) {
        load().then(
          () => setState("there"),
          () => setState("failed"),
        );
      }
    }, []);
    if (state === "failed") return <Missing />;
    return Screen === null ? <Loading /> : <Screen {...props} />;
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
