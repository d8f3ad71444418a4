// Which class is the positive one, whose precision, recall and F1 are given where there are two classes.
import { meantLabel } from "../columns/near-miss.ts";
import { quotedName } from "../csv/header.ts";
import { InputError } from "../input-error.ts";

/**
 * The class of the named label, else of the last in sort order: `1`, `true`, `yes`, `pos` (D39).
 *
 * @throws InputError POSITIVE_LABEL_NOT_FOUND where no class has that label
 */
export function positiveClassOf(labels: readonly string[], positiveLabel: string | null): number {
  if (positiveLabel === null) return labels.length - 1;
  const code = labels.indexOf(positiveLabel.trim());
  if (code >= 0) return code;
  throw new InputError(
    "POSITIVE_LABEL_NOT_FOUND",
    `No row has the label ${quotedName(positiveLabel)}, which was named as the positive one. ${meantLabel(positiveLabel, labels)}`,
  );
}
