import type { Locator, Page } from 'playwright-core';
import { succeeds, until } from '../../support/waiting.ts';

/** A step of our walkthrough, by the end of its id. */
export function walkthroughStep(page: Page, id: string): Locator {
  return page.locator(`.getting-started-step[data-step-id$="#${id}"]`);
}

/** Opens a step of the walkthrough that is in front. */
export async function openStep(page: Page, id: string): Promise<void> {
  const step = walkthroughStep(page, id);
  // VS Code opens a step by itself, the first as a rule: a click before that is undone by it.
  const opened = page.locator('.getting-started-step.expanded');
  await opened.first().waitFor();
  await until(
    `the open step "${id}"`,
    async () => {
      const isOpen = (await step.and(opened).count()) > 0;
      // A click on what it is called: its middle may be one of its links.
      if (!isOpen) await succeeds(step.locator('.step-title').click({ timeout: 5_000 }));
      return isOpen;
    },
    isOpen => isOpen,
  );
}
