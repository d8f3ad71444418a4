// Delays the lower part of a screen: it is made and drawn once the part above it is on the display.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

export function Later({ children }: { children: () => ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    // The first frame may still be the one that is being painted; by the second it is over.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDue(true));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return <>{isDue && children()}</>;
}
