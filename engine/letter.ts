// A letter of European languages as a pattern, fixed: which characters are letters differs between versions of Unicode.

export const LETTER = "[A-Za-z\\u00c0-\\u024f]";
