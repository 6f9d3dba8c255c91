const nonTextTypes = new Set(['button', 'checkbox', 'radio', 'range']);

/** Returns the element if it is a text field, which has its own undo; undefined for any other element. */
export function findTextField(element: EventTarget | null | undefined): HTMLElement | undefined {
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLInputElement && !nonTextTypes.has(element.type) ? element : undefined;
}

/** Maps Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z (or Command) to undo and redo; undefined in a text field. */
export function parseUndoKey(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || findTextField(event.composedPath()[0])) return undefined;
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : undefined;
}
