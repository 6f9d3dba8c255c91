/** Replaces {0}, {1} and so on by `parts`, like the l10n libraries. */
export function fillIn(text: string, ...parts: readonly unknown[]): string {
  return text.replace(/\{(\d+)\}/g, (placeholder, index) =>
    Number(index) < parts.length ? String(parts[Number(index)]) : placeholder,
  );
}
