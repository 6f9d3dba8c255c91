import type { Frame, Page } from 'playwright-core';
import type { ResultTab } from '../../src/shared/view.ts';

/** Opens a tab of a result, through the menu if there is no room for the tabs. */
export async function openTab(page: Page | Frame, tab: ResultTab): Promise<void> {
  const button = page.locator(`#tab-${tab}`);
  const menu = page.locator('[data-choice=tab]');
  await button.or(menu).filter({ visible: true }).waitFor();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole('menuitemcheckbox', { name: (await button.textContent())?.trim() ?? '', exact: true }).click();
}
