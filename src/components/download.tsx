// A file of the API, saved by the browser.
import { useAction } from "../browser/action.ts";
import { download } from "../browser/client.ts";

interface DownloadProps {
  path: `/${string}`;
  fileName: string;
  /** The word on the button. */
  word?: string;
  /** It is what the screen is there for. */
  isMain?: boolean;
}

export function Download({ path, fileName, word = "Download", isMain = false }: DownloadProps) {
  const save = useAction(() => download(path, fileName));
  return (
    <>
      <button type="button" class={isMain ? "primary" : "link"} disabled={save.isRunning} onClick={() => save.run()}>
        {save.isRunning ? "Fetching…" : word}
      </button>
      {save.problem !== null && (
        <small class="field-error" role="alert">
          {save.problem.message}
        </small>
      )}
    </>
  );
}
