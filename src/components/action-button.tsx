// Buttons: one that does something on the server, may ask first and shows what went wrong; one that leads elsewhere.
import { useAction } from "../browser/action.ts";
import { storageLimits } from "../browser/api.ts";
import { download } from "../browser/client.ts";
import { goTo, linkTo } from "../browser/router.ts";
import { type DeletedKind, keptFilesWords } from "../words/kept-files.ts";
import { announce } from "./announcements.tsx";
import { confirm, type Question } from "./dialog.tsx";

interface ActionButtonProps {
  word: string;
  /** The word while it runs. */
  runningWord?: string;
  look?: "primary" | "quiet" | "small" | "link";
  /** Asked before anything is done; a function may ask the server first. */
  question?: Question | (() => Promise<Question>);
  isDisabled?: boolean;
  act(): Promise<unknown>;
  /** Announced once it is done. */
  news?: string;
  /** Called after that. */
  onDone?(): void;
}

export function ActionButton(props: ActionButtonProps) {
  const { word, runningWord = word, look, question, isDisabled = false, act, news, onDone } = props;
  const { isRunning, problem, run } = useAction(async () => {
    const askedQuestion = typeof question === "function" ? await question() : question;
    if (askedQuestion !== undefined && !(await confirm(askedQuestion))) return;
    await act();
    if (news !== undefined) announce(news);
    onDone?.();
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

interface DeleteProps {
  title: string;
  /** Says what goes with it, and what stays. */
  text: string;
  /** Whose files the text then speaks of. */
  files?: DeletedKind;
  remove(): Promise<unknown>;
  /** Announced once it is done. */
  news: string;
  /** The path of the list that it leaves. */
  list: string;
}

/** Asks, deletes what the page is about, and goes to its list. */
export function DeleteButton({ title, text, files, remove, news, list }: DeleteProps) {
  const question = async () => {
    const kept = files === undefined ? "" : ` ${keptFilesWords(files, (await storageLimits()).keepDeletedDays)}`;
    return { title, text: text + kept, action: "Delete", isDangerous: true };
  };
  return (
    <ActionButton
      word="Delete"
      look="quiet"
      question={question}
      act={remove}
      news={news}
      onDone={() => goTo(linkTo(list))}
    />
  );
}

interface LinkButtonProps {
  word: string;
  href: string;
  look?: "primary" | "quiet" | "small";
}

/** Leads to another screen. */
export function LinkButton({ word, href, look }: LinkButtonProps) {
  return (
    <a class={look === undefined ? "button" : `button ${look}`} href={href}>
      {word}
    </a>
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
