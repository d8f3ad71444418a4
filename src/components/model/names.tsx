// The user's name for a model or one of its versions, and the note on it: shown, and changed in a dialog.
import { useState } from "preact/hooks";
import type { ModelDetail } from "../../api/models/models.ts";
import { useAction } from "../../browser/action.ts";
import { models } from "../../browser/api.ts";
import { LONGEST_MODEL_NAME, LONGEST_NOTE } from "../../common/limits.ts";
import { announce } from "../announcements.tsx";
import { Dialog, DialogButton } from "../dialog.tsx";
import { Form, TextAreaField, TextField } from "../field.tsx";

interface Named {
  name: string | null;
  note: string | null;
}

interface NamingProps {
  model: ModelDetail;
  /** The version that is named; left out for the model itself. */
  version?: ModelDetail["versions"][number];
  onNamed(): void;
}

/** A button that opens the editor. */
export function Naming({ model, version, onNamed }: NamingProps) {
  const named: Named = version ?? model;
  const word = (
    <>
      {named.name === null && named.note === null ? "Name it" : "Change name or note"}
      {version !== undefined && <span class="unseen"> (v{version.version})</span>}
    </>
  );
  return (
    <DialogButton word={word} look={version === undefined ? "quiet" : "link"}>
      {(close) => (
        <Editor
          what={version === undefined ? "model" : `version v${version.version}`}
          named={named}
          save={(names) => models.rename(model.modelKey, version?.version ?? null, names)}
          onClose={close}
          onNamed={onNamed}
        />
      )}
    </DialogButton>
  );
}

interface EditorProps {
  what: string;
  named: Named;
  save(names: Named): Promise<unknown>;
  onClose(): void;
  onNamed(): void;
}

function Editor({ what, named, save, onClose, onNamed }: EditorProps) {
  const [name, setName] = useState(named.name ?? "");
  const [note, setNote] = useState(named.note ?? "");
  const store = useAction(async () => {
    await save({ name: name.trim() || null, note: note.trim() || null });
    announce(`Name and note of the ${what} are stored.`);
    onClose();
    onNamed();
  });
  return (
    <Dialog title={`Name and note of the ${what}`} onClose={onClose}>
      <Form action={store} submit="Store" onCancel={onClose}>
        <TextField
          label="Name"
          help="One line; an empty field removes the name."
          value={name}
          onValue={setName}
          maxLength={LONGEST_MODEL_NAME}
        />
        <TextAreaField
          label="Note"
          help="Why it was made, what it is for."
          rows={5}
          maxLength={LONGEST_NOTE}
          value={note}
          onValue={setNote}
        />
      </Form>
    </Dialog>
  );
}

/** The note in the lines in which it was written; nothing where there is none. */
export function Note({ note }: { note: string | null }) {
  if (note === null) return null;
  return (
    <p class="own-note">
      <bdi>{note}</bdi>
    </p>
  );
}
