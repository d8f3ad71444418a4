// A copy of a text on memory of its own: a cell or a slice keeps all of the text that it was cut from alive.

export function copyOf(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
