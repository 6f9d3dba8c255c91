import type { Page } from 'playwright-core';

/** What a person did by hand since `countInputs`. */
interface Inputs {
  readonly clicks: number;
  /** The keys, without the modifiers' own. */
  readonly keys: readonly string[];
  readonly pastes: number;
}

/** Counts, from now on, what reaches the window as a person's own doing. */
export async function countInputs(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    if (window.inputs) { Object.assign(window.inputs, { clicks: 0, keys: [], pastes: 0 }); return; }
    const inputs = window.inputs = { clicks: 0, keys: [], pastes: 0 };
    const on = (type, take) => window.addEventListener(type, event => { if (event.isTrusted) take(event); }, true);
    on('mousedown', () => inputs.clicks++);
    on('paste', () => inputs.pastes++);
    on('keydown', ({ key }) => { if (!['Control', 'Shift', 'Alt', 'Meta'].includes(key)) inputs.keys.push(key); });
  })()`);
}

/** What was counted. */
export async function inputsOf(page: Page): Promise<Inputs> {
  return page.evaluate<Inputs>('window.inputs');
}
