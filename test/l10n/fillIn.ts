/** An English text with its parts in the places of {0}, {1} and so on, as the libraries fill them in. */
export function fillIn(text: string, ...parts: readonly unknown[]): string {
  return text.replace(/\{(\d+)\}/g, (place, index) =>
    Number(index) < parts.length ? String(parts[Number(index)]) : place,
  );
}
