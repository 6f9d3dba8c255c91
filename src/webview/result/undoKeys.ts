const withoutText = new Set(['button', 'checkbox', 'radio', 'range']);

/** An element in which a person types, which has an undo of its own; undefined for any other. */
export function fieldOf(element: EventTarget | null | undefined): HTMLElement | undefined {
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLInputElement && !withoutText.has(element.type) ? element : undefined;
}

/** What Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z ask for, or these with Command; nothing in a text field. */
export function undoOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || fieldOf(event.composedPath()[0])) return undefined;
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : undefined;
}
