// A short list of texts to which one may be added, and from which each may be taken.
import { useState } from "preact/hooks";

const MOST_CHARACTERS = 100;

interface TextListProps {
  /** The heading, such as "Texts of age that mean no value". */
  label: string;
  /** The same of one that is added. */
  addLabel: string;
  /** The word that opens the field, and what it is about for those who hear it alone. */
  add: string;
  about: string;
  texts: readonly string[];
  onTexts(texts: string[]): void;
}

export function TextList({ label, addLabel, add, about, texts, onTexts }: TextListProps) {
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  return (
    <>
      {texts.length > 0 && (
        <ul class="left-out" aria-label={label}>
          {texts.map((each) => (
            <li key={each}>
              <bdi>“{each}”</bdi>
              <button type="button" class="link" onClick={() => onTexts(texts.filter((other) => other !== each))}>
                <span>
                  Undo
                  <span class="unseen">
                    {" "}
                    “{each}” as no value{about}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <details class="naming">
        <summary>
          {add}
          <span class="unseen">{about}</span>
        </summary>
        <form
          class="chooser"
          onSubmit={(event) => {
            event.preventDefault();
            if (text === "" || texts.includes(text)) return;
            setTyped("");
            onTexts([...texts, text]);
          }}
        >
          <input
            type="text"
            aria-label={addLabel}
            maxLength={MOST_CHARACTERS}
            value={typed}
            onInput={({ currentTarget: { value } }) => setTyped(value)}
          />
          <button type="submit" disabled={text === ""}>
            Add
          </button>
        </form>
      </details>
    </>
  );
}
