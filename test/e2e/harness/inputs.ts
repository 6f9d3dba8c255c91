import type { Page } from 'playwright-core';

/** The user's input since `countInputs`. */
interface Inputs {
  readonly clicks: number;
  /** The keys pressed, without modifier keys. */
  readonly keys: readonly string[];
  readonly pastes: number;
}

/** Starts counting trusted input events. */
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

/** Returns the input since `countInputs`. */
export async function readInputs(page: Page): Promise<Inputs> {
  return page.evaluate<Inputs>('window.inputs');
}
