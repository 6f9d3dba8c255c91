import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from '../../support/until.ts';

/** Finds a step of the walkthrough by the part of its id after the #. */
export function walkthroughStep(page: Page, id: string): Locator {
  return page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
}

/** Opens a step of the active walkthrough. */
export async function openStep(page: Page, id: string): Promise<void> {
  const step = walkthroughStep(page, id);
  // VS Code opens a step by itself first. It would undo a click before that.
  const expandedStep = page.locator('.getting-started-step.expanded');
  await expandedStep.first().waitFor();
  await until(
    `the open step "${id}"`,
    async () => {
      const isOpen = (await step.and(expandedStep).count()) > 0;
      // A click in the middle of the step could open a link, so this clicks the title.
      if (!isOpen) await succeeds(step.locator('.step-title').click({ timeout: 5_000 }));
      return isOpen;
    },
    isOpen => isOpen,
  );
}
