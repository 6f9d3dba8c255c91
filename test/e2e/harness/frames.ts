import type { Frame, Page } from 'playwright-core';
import { until } from '../../support/until.ts';

/** A script that returns the heading of one of the extension's pages, or null for other pages and for one that has not loaded yet. */
const headingScript = `document.querySelector('#app h1')?.textContent ?? null`;

/**
 * Waits for a visible page of the extension in a webview, which is a frame inside VS Code's frame. `title` selects it by the tab's title,
 * or else by the page's heading, since VS Code's frame keeps its first title if the tab's title changes while it loads.
 */
export async function findWebview(page: Page, title?: string): Promise<Frame> {
  let match: Frame | undefined;
  await until(
    `the webview ${title ?? ''}`,
    async () => {
      const webviews = await listVisibleWebviews(page);
      const pages = await Promise.all(
        webviews.map(async webview => ({ ...webview, heading: await readHeading(webview.frame) })),
      );
      const loaded = pages.filter(({ heading }) => heading !== null);
      const isTitled = (webview: (typeof loaded)[number]): boolean => title === undefined || webview.title === title;
      match = (loaded.find(isTitled) ?? loaded.find(({ heading }) => heading === title))?.frame;
      return pages.map(webview => `${webview.title}: ${webview.heading}`);
    },
    () => match !== undefined,
  );
  if (!match) throw new Error('No webview was found.');
  return match;
}

async function readHeading(frame: Frame): Promise<string | null> {
  return frame.evaluate<string | null>(headingScript).catch(() => null);
}

/** Returns the pages of all visible webviews with the titles of their tabs, newest first. */
export async function listVisibleWebviews(page: Page): Promise<{ readonly frame: Frame; readonly title: string }[]> {
  const webviews: { frame: Frame; title: string }[] = [];
  for (const frame of page.frames()) {
    const title = await readWebviewTitle(frame);
    if (title !== undefined) webviews.unshift({ frame, title });
  }
  return webviews;
}

/** Returns the title of a visible webview's inner frame, or undefined for other frames and for one that is closing. */
async function readWebviewTitle(frame: Frame): Promise<string | undefined> {
  const outer = frame.parentFrame();
  if (!outer || frame.isDetached()) return undefined;
  try {
    const inner = await frame.frameElement();
    if ((await inner.getAttribute('id')) !== 'active-frame') return undefined;
    const outerElement = await outer.frameElement();
    return (await outerElement.isVisible()) ? ((await inner.getAttribute('title')) ?? '') : undefined;
  } catch {
    return undefined;
  }
}
