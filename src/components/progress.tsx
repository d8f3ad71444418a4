// A progress bar with the time left.
import { formatDuration } from "../common/format.ts";

interface ProgressProps {
  label: string;
  /** From 0 to 1; null while unknown. */
  share: number | null;
  /** Time taken so far, if the time left can be derived from it. */
  elapsedSeconds?: number | null;
}

/** Below this share the time left would only be a guess. */
const LEAST_SHARE = 0.03;

export function Progress({ label, share, elapsedSeconds = null }: ProgressProps) {
  const left = timeLeft(share, elapsedSeconds);
  return (
    <div class="progress">
      <div class="progress-words">
        <span>{label}</span>
        <span class="num">
          {share !== null && `${Math.floor(share * 100)}%`}
          {left !== null && ` · ${left} left`}
        </span>
      </div>
      <progress aria-label={label} {...(share !== null && { value: share })} max={1} />
    </div>
  );
}

function timeLeft(share: number | null, elapsedSeconds: number | null): string | null {
  if (share === null || elapsedSeconds === null || share < LEAST_SHARE || share >= 1) return null;
  return formatDuration(Math.max(1, Math.round((elapsedSeconds * (1 - share)) / share)));
}
