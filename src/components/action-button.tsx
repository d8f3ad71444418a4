// A button that does one thing on the server: it may ask first, and shows beside it what went wrong.
import { useAction } from "../browser/action.ts";
import { download } from "../browser/client.ts";
import { confirm, type Question } from "./dialog.tsx";

interface ActionButtonProps {
  word: string;
  /** The word while it runs. */
  runningWord?: string;
  look?: "primary" | "quiet" | "small" | "link";
  /** Asked before anything is done. */
  question?: Question;
  isDisabled?: boolean;
  act(): Promise<unknown>;
}

export function ActionButton({ word, runningWord = word, look, question, isDisabled = false, act }: ActionButtonProps) {
  const { isRunning, problem, run } = useAction(async () => {
    if (question === undefined || (await confirm(question))) await act();
  });
  return (
    <>
      <button type="button" class={look} disabled={isDisabled || isRunning} onClick={() => run()}>
        {isRunning ? runningWord : word}
      </button>
      {problem !== null && (
        <small class="field-error" role="alert">
          {problem.message} {problem.remedy}
        </small>
      )}
    </>
  );
}

interface DownloadProps {
  path: `/${string}`;
  fileName: string;
  word?: string;
  look?: "primary" | "link";
}

/** Saves a file of the API. */
export function Download({ path, fileName, word = "Download", look = "link" }: DownloadProps) {
  return <ActionButton word={word} runningWord="Downloading…" look={look} act={() => download(path, fileName)} />;
}
