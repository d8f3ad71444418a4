// Questions over the page: the browser's own dialog, which holds the focus and closes by Escape.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  /** Left out for one that cannot be waved away. */
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
    // Taken out of the page it does not give the focus back by itself.
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
        // Asked twice, some browsers close it whatever the page says.
        if (onClose !== undefined) onClose();
        else dialog.current?.showModal();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface Question {
  title: string;
  /** What will happen, and whether it can be undone. */
  text: string;
  /** The word on the button that does it. */
  action: string;
  isDangerous?: boolean;
}

const asked = signal<(Question & { answer(isAgreed: boolean): void }) | null>(null);

/** `if (await confirm({ … })) …`. One question at a time: another in between takes its place. */
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

/** Where `confirm` asks; the shell has it once. */
export function Confirmation() {
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
