/** The text with every occurrence of the key, plain or percent-encoded, replaced. */
export function redactKey(text: string, key: string): string {
  if (key === '') return text;
  return text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]');
}
