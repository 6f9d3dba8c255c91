import assert from 'node:assert/strict';
import { pseudoText } from '../l10n/pseudo.ts';
import { hasUnmarked } from '../l10n/unmarked.ts';
import { endsAfter } from './harness/failures.ts';
import type { PageElement } from './harness/pageElement.ts';
import { makePseudoExtension, pseudoLanguage } from './harness/pseudoExtension.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';

/** What stays as it is: what a person types, and the names of fields and parameters. */
const typed = ['last 7 days', 'last 24 hours', 'last 30 days', 'last 36 hours', 'month to date', 'last month', 'today'];
const names = [
  'yesterday',
  'this week',
  'this month',
  'systemState',
  'gridStress',
  'https://api.powersignals.co.za',
  'Production',
];
const known = [...typed, ...names, 'year to date', 'last week', 'this year', 'last year'];
const words = (label: string, category = 'Grid Data'): string => `${category}: ${pseudoText(label)}`;

describe('a VS Code in the pseudo language', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench({ language: pseudoLanguage, developmentPath: makePseudoExtension() });
  });
  endsAfter(() => [workbench]);

  /** Without the names of icons, which VS Code says, and the beginnings of keys. */
  const isMarked = (texts: readonly string[]): void => {
    const said = texts.map(text => text.replace(/^[a-z-]+ {2}/, '').replace(/sb_test_\w+…/, ''));
    assert.deepEqual(
      said.filter(text => hasUnmarked(text, known)),
      [],
    );
  };
  const box = async (): Promise<string[]> => {
    const { quickInput } = workbench;
    return [await quickInput.title(), await quickInput.placeholder(), await quickInput.message()];
  };

  it('leaves no view, welcome text or button untranslated', async () => {
    const welcome = workbench.page.locator('.welcome-view-content');
    await workbench.page.locator('.part.activitybar [aria-label^="⟦"]').first().click();
    await welcome.first().waitFor();
    isMarked(await welcome.allInnerTexts());
    isMarked(await workbench.page.locator('.part.sidebar .pane-header .title').allInnerTexts());
  });

  it('leaves no text of the header, the trees and the status bar untranslated', async () => {
    await workbench.runCommand(words('Open Sample Data'));
    const frame = await workbench.resultFrame();
    await frame.locator('[role=grid] [role=gridcell]:visible').first().waitFor();
    isMarked(await frame.locator('header .part').allInnerTexts());
    isMarked(await frame.locator('[role=columnheader]:visible').allInnerTexts());
    // At once: the header of the answer has other parts than the one before.
    const tooltips = await frame
      .locator('header [title], [role=columnheader][title]')
      .evaluateAll((all: PageElement[]) => all.map(one => one.getAttribute('title') ?? ''));
    isMarked(tooltips.map(text => text.replace(/^[\w.]+ · /, '').replace(/^ts$/m, '')));
    isMarked(await workbench.treeRows());
  });

  it('leaves no text in input boxes untranslated', async () => {
    for (const command of [
      ...['Run Query…', 'Add Connection…', 'Show Request Budget…', 'Set Limits…'].map(label => words(label)),
      words('New Query…', pseudoText('Grid Data Saved Queries')),
    ]) {
      await workbench.runCommand(command);
      await workbench.quickInput.waitOpen();
      await workbench.quickInput.waitItem('⟦');
      isMarked([...(await box()), ...(await workbench.quickInput.items())]);
      await workbench.quickInput.cancel();
    }
  });
});
