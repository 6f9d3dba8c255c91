import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from '../../support/until.ts';

/** Returns a step of the walkthrough by the end of its id. */
export function walkthroughStep(page: Page, id: string): Locator {
  return page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
}

/** Opens a step of the active walkthrough. */
export async function openStep(page: Page, id: string): Promise<void> {
  const step = walkthroughStep(page, id);
  // VS Code opens a step automatically, which would undo an earlier click.
  const openedStep = page.locator('.getting-started-step.expanded');
  await openedStep.first().waitFor();
  await until(
    `the open step "${id}"`,
    async () => {
      const isOpen = (await step.and(openedStep).count()) > 0;
      // Clicks the title, since the middle of the step may be a link.
      if (!isOpen) await succeeds(step.locator('.step-title').click({ timeout: 5_000 }));
      return isOpen;
    },
    isOpen => isOpen,
  );
}
