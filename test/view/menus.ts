import type { Locator, Page } from 'playwright-core';

/** An item of the menu that is open, by its name. One of a submenu is there once that is opened. */
export async function menuItem(page: Page, name: string): Promise<Locator> {
  const item = page.locator('[role^=menuitem]').filter({ has: page.getByText(name, { exact: true }) });
  await page.locator('[role^=menuitem]').first().waitFor();
  for (const opener of await page.locator('[role=menuitem][aria-haspopup]').all()) {
    if ((await item.count()) > 0) break;
    await opener.click();
  }
  return item;
}
