import type { Frame, Page } from 'playwright-core';
import { until } from '../../support/waiting.ts';

/** What a page of ours says it shows; null for one that has not come up, which the extension may yet load again, and for one of VS Code's. */
const headingScript = `document.querySelector('#app h1')?.textContent ?? null`;

/**
 * Waits for the page that the extension shows in a webview: the frame inside the frame, visible, with something to show. With several
 * on screen `title` chooses by the tab's title, or by what the page says: VS Code's frame keeps its first title where the tab gets
 * another while it loads.
 */
export async function findWebview(page: Page, title?: string): Promise<Frame> {
  let found: Frame | undefined;
  await until(
    `the webview ${title ?? ''}`,
    async () => {
      const shown = await shownWebviews(page);
      const pages = await Promise.all(shown.map(async one => ({ ...one, heading: await headingOf(one.frame) })));
      const up = pages.filter(({ heading }) => heading !== null);
      const isTitled = (one: (typeof up)[number]): boolean => title === undefined || one.title === title;
      found = (up.find(isTitled) ?? up.find(({ heading }) => heading === title))?.frame;
      return pages.map(one => `${one.title}: ${one.heading}`);
    },
    () => found !== undefined,
  );
  if (!found) throw new Error('There is no webview.');
  return found;
}

async function headingOf(frame: Frame): Promise<string | null> {
  return frame.evaluate<string | null>(headingScript).catch(() => null);
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
