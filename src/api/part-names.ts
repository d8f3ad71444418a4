// How the API names parts of dates and texts.

export const DATE_PARTS_SAID = "Of a date: year, month (from 1), day, weekday (0 is Monday) or hour. ";

export const TEXT_PARTS_SAID =
  "Of a text: `number1` to `number24` (the numbers inside it), `numberLast`, `numberLeast`, `numberLargest` or " +
  "`numberMean`; `character1` to `character64` (by place) or `ending1` to `ending4` (from the end); `characters` or " +
  "`words` (how many); `capitals`, `digits` or `punctuation` (shares of the characters). ";
