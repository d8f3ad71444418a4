// Dialogs over the page, by the browser's own dialog element: it keeps the focus and closes on Escape.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { place } from "../browser/router.ts";
import { session } from "../browser/session.ts";
import { announce } from "./announcements.tsx";

interface DialogProps {
  title: string;
  /** Left out for a dialog that must be answered. */
  onClose?: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("input:not([readonly]), select, textarea")?.focus();
    // A dialog removed from the page does not give the focus back by itself.
    return () => before?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Some browsers close it on the second Escape, whatever the page says.
        if (onClose !== undefined) onClose();
        else dialog.current?.showModal();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DialogButtonProps {
  word: ComponentChildren;
  look: "primary" | "quiet" | "link";
  /** The dialog; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ word, look, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={look} onClick={() => setOpen(true)}>
        {word}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface SecretProps {
  title: string;
  /** The name of the secret, as in "API key copied." */
  label: string;
  secret: string;
  onClose(): void;
  children: ComponentChildren;
}

/** Shows a secret once: the server does not keep it. Browsers allow copying on secure connections only. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children} It is shown only now and is not stored.</p>
      <div class="secret">
        <code>{secret}</code>
        {isSecureContext && (
          <button
            type="button"
            class="small"
            onClick={async () => {
              await navigator.clipboard.writeText(secret);
              setCopied(true);
              announce(`${label} copied.`);
            }}
          >
            {isCopied ? "Copied" : "Copy"}
          </button>
        )}
      </div>
      <div class="actions end">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

export interface Question {
  title: string;
  /** Says what will happen, and whether it can be undone. */
  text: string;
  /** The word on the button that does it. */
  action: string;
  isDangerous?: boolean;
}

const asked = signal<(Question & { answer(isAgreed: boolean): void }) | null>(null);

/** `if (await confirm({ … })) …`. One question at a time: a new one replaces and refuses the last. */
export function confirm(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (isAgreed) => {
        asked.value = null;
        resolve(isAgreed);
      },
    };
  });
}

/** Shows the question of `confirm`; the shell holds one. Leaving the page, or signing out, answers no. */
export function Confirmation() {
  useLayoutEffect(() => () => asked.value?.answer(false), [place.value, session.value?.account.userKey]);
  if (asked.value === null) return null;
  const { title, text, action, isDangerous, answer } = asked.value;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <p>{text}</p>
      <div class="actions end">
        <button type="button" onClick={() => answer(false)}>
          Keep
        </button>
        <button type="button" class={isDangerous === true ? "danger" : "primary"} onClick={() => answer(true)}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
