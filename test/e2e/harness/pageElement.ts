import type { Locator } from 'playwright-core';

/** The members of a DOM element that the harness uses, since the tests are compiled without DOM types. */
export interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}

/** Returns the text that a screen reader reads for each element: its label, or else its text. */
export async function readAccessibleTexts(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all: PageElement[]) =>
    all.map(element => element.getAttribute('aria-label') ?? element.textContent ?? ''),
  );
}

/** Returns the visible lines of a text editor, whose elements are unordered and use no-break spaces. */
export async function readEditorLines(editor: Locator): Promise<string> {
  const lines = await editor
    .locator('.view-line')
    .evaluateAll((elements: PageElement[]) =>
      elements.map(line => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' })),
    );
  return lines
    .sort((a, b) => a.top - b.top)
    .map(line => line.text.replaceAll('\u00a0', ' '))
    .join('\n');
}

/** Escapes a text for use in a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
