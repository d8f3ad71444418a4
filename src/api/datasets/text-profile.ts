// The profile of a column of texts, as several answers have it.
import { Type } from "@sinclair/typebox";
import { Count } from "../../http/schemas.ts";

export const TEXT_PROFILE = {
  medianCharacters: Count,
  medianWords: Count,
  termCount: Type.Integer({
    minimum: 0,
    description: "Words, pairs of words and pieces of words that two rows and more have, as far as they are kept.",
  }),
};
