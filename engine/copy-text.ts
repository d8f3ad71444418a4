// Copies a text into memory of its own. A slice, such as a cell, keeps the whole text in memory that it was cut from.

export function copyOf(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
