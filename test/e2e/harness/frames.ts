import type { Frame, Page } from 'playwright-core';
import { until } from './waiting.ts';

/**
 * Waits for the page that an extension shows in a webview: the frame inside the frame, visible and loaded. With several
 * on screen `title` chooses by the tab's title.
 */
export async function findWebview(page: Page, title?: string): Promise<Frame> {
  let found: Frame | undefined;
  await until(
    `the webview ${title ?? ''}`,
    async () => {
      const shown = await shownWebviews(page);
      found = shown.find(one => title === undefined || one.title === title)?.frame;
      return shown.map(one => one.title);
    },
    () => found !== undefined,
  );
  if (!found) throw new Error('There is no webview.');
  await found.waitForLoadState('domcontentloaded');
  return found;
}

/** The pages of all webviews on screen at this moment, with the titles of their tabs; the last one that was opened comes first. */
export async function shownWebviews(page: Page): Promise<{ readonly frame: Frame; readonly title: string }[]> {
  const shown: { frame: Frame; title: string }[] = [];
  for (const frame of page.frames()) {
    const title = await webviewTitle(frame);
    if (title !== undefined) shown.unshift({ frame, title });
  }
  return shown;
}

/** The title of a visible webview's inner frame; undefined for every other frame and for one that is going away. */
async function webviewTitle(frame: Frame): Promise<string | undefined> {
  const outer = frame.parentFrame();
  if (!outer || frame.isDetached()) return undefined;
  try {
    const inner = await frame.frameElement();
    if ((await inner.getAttribute('id')) !== 'active-frame') return undefined;
    const holder = await outer.frameElement();
    return (await holder.isVisible()) ? ((await inner.getAttribute('title')) ?? '') : undefined;
  } catch {
    return undefined;
  }
}
