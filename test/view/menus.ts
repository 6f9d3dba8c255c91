import type { Locator, Page } from 'playwright-core';

/** Finds an item of the open menu by its name. An item of a submenu exists once that is open. */
export async function menuItem(page: Page, name: string): Promise<Locator> {
  const item = page.locator('[role^=menuitem]').filter({ has: page.getByText(name, { exact: true }) });
  await page.locator('[role^=menuitem]').first().waitFor();
  for (const opener of await page.locator('[role=menuitem][aria-haspopup]').all()) {
    if ((await item.count()) > 0) break;
    await opener.click();
  }
  return item;
}
