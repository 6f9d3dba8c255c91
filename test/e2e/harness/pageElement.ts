import type { Locator } from 'playwright-core';

/** What the harness uses of an element of the window; the tests' own types know no DOM. */
export interface PageElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}

/** What is read aloud for each element: its label, else its text. */
export async function spokenTexts(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all: PageElement[]) =>
    all.map(element => element.getAttribute('aria-label') ?? element.textContent ?? ''),
  );
}

/** The visible lines of a text editor: it keeps them in any order in the document and shows spaces as no-break spaces. */
export async function editorLines(editor: Locator): Promise<string> {
  const lines = await editor
    .locator('.view-line')
    .evaluateAll((all: PageElement[]) =>
      all.map(line => ({ top: line.getBoundingClientRect().top, text: line.textContent ?? '' })),
    );
  return lines
    .sort((a, b) => a.top - b.top)
    .map(line => line.text.replaceAll('\u00a0', ' '))
    .join('\n');
}

/** The text as a part of a pattern that matches nothing else. */
export function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
