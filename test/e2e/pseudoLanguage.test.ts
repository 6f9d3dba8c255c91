import assert from 'node:assert/strict';
import { toPseudoText } from '../l10n/pseudo.ts';
import { hasUnmarked } from '../l10n/unmarked.ts';
import { disposeAfter } from './harness/failures.ts';
import type { PageElement } from './harness/pageElement.ts';
import { createPseudoExtension, pseudoLanguage } from './harness/pseudoExtension.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';

/** Texts that are not translated: what users type, and the names of fields and parameters. */
const typedTexts = [
  'last 7 days',
  'last 24 hours',
  'last 30 days',
  'last 36 hours',
  'month to date',
  'last month',
  'today',
];
const untranslatedNames = [
  'yesterday',
  'this week',
  'this month',
  'systemState',
  'gridStress',
  'https://api.powersignals.co.za',
  'Production',
];
const untranslated = [...typedTexts, ...untranslatedNames, 'year to date', 'last week', 'this year', 'last year'];
const commandLabel = (label: string, category = 'Grid Data'): string => `${category}: ${toPseudoText(label)}`;

describe('a VS Code in the pseudo language', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench({ language: pseudoLanguage, developmentPath: createPseudoExtension() });
  });
  disposeAfter(() => [workbench]);

  /** Asserts that all texts are translated, ignoring the icon names that VS Code adds and key prefixes. */
  const assertTranslated = (texts: readonly string[]): void => {
    const cleaned = texts.map(text => text.replace(/^[a-z-]+ {2}/, '').replace(/sb_test_\w+…/, ''));
    assert.deepEqual(
      cleaned.filter(text => hasUnmarked(text, untranslated)),
      [],
    );
  };
  const readBox = async (): Promise<string[]> => {
    const { quickInput } = workbench;
    return [await quickInput.title(), await quickInput.placeholder(), await quickInput.message()];
  };

  it('leaves no view, welcome text or button untranslated', async () => {
    const welcome = workbench.page.locator('.welcome-view-content');
    await workbench.page.locator('.part.activitybar [aria-label^="⟦"]').first().click();
    await welcome.first().waitFor();
    assertTranslated(await welcome.allInnerTexts());
    assertTranslated(await workbench.page.locator('.part.sidebar .pane-header .title').allInnerTexts());
  });

  it('leaves no text of the header, the trees and the status bar untranslated', async () => {
    await workbench.runCommand(commandLabel('Open Sample Data'));
    const frame = await workbench.resultFrame();
    await frame.locator('[role=grid] [role=gridcell]:visible').first().waitFor();
    assertTranslated(await frame.locator('header .part').allInnerTexts());
    assertTranslated(await frame.locator('[role=columnheader]:visible').allInnerTexts());
    // All tooltips are read at once, since the header changes when the query ends.
    const tooltips = await frame
      .locator('header [title], [role=columnheader][title]')
      .evaluateAll((all: PageElement[]) => all.map(element => element.getAttribute('title') ?? ''));
    assertTranslated(tooltips.map(text => text.replace(/^[\w.]+ · /, '').replace(/^ts$/m, '')));
    assertTranslated(await workbench.treeRows());
  });

  it('leaves no text in input boxes untranslated', async () => {
    for (const command of [
      ...['Run Query…', 'Add Connection…', 'Show Request Budget…', 'Set Limits…'].map(label => commandLabel(label)),
      commandLabel('New Query…', toPseudoText('Grid Data Saved Queries')),
    ]) {
      await workbench.runCommand(command);
      await workbench.quickInput.waitOpen();
      await workbench.quickInput.waitItem('⟦');
      assertTranslated([...(await readBox()), ...(await workbench.quickInput.items())]);
      await workbench.quickInput.cancel();
    }
  });
});
