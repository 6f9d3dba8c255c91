import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { waitTimeoutMs, succeeds, until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { chooseFromItemMenu, openSavedQueries } from './savedSupport.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const formatQueriesFile = (query: object): string => `${JSON.stringify({ queries: [query] }, undefined, 2)}\n`;

describe('a workspace with several folders', () => {
  let workbench: Workbench;
  const base = createTemporaryFolder();
  const path = (folder: string): string => join(base, folder, '.vscode', 'grid-queries.json');
  const text = (folder: string): string => readFileSync(path(folder), 'utf8');
  const readItemNames = (): Promise<string[]> =>
    workbench.page.locator('.part.sidebar .monaco-list-row .label-name').allInnerTexts();

  before(async () => {
    for (const [folder, query] of [
      ['north', { name: 'May', dataset: 'systemState', range: '2023-05' }],
      ['south', { name: 'June', dataset: 'systemState', range: '2023-06' }],
    ] as const) {
      mkdirSync(join(base, folder, '.vscode'), { recursive: true });
      writeFileSync(path(folder), formatQueriesFile(query));
    }
    const file = join(base, 'both.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'north' }, { path: 'south' }] }));
    workbench = await startWorkbench({ folder: join(base, 'north') });
    const { origin } = new URL(workbench.page.url());
    await workbench.page.goto(`${origin}/?workspace=${encodeURIComponent(file)}`);
    // On a busy machine VS Code's server sometimes opens the workspace without its folders; a reload shows them.
    const folder = workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'south' });
    await until(
      'the second folder',
      async () => {
        if (await succeeds(folder.waitFor({ timeout: 40_000 }))) return true;
        await workbench.page.reload();
        return false;
      },
      isThere => isThere,
      2 * waitTimeoutMs,
    );
    await openSavedQueries(workbench);
  });
  disposeAfter(() => [workbench]);

  it('shows a queries file for each workspace folder', async () => {
    const names = await until('both files', readItemNames, texts => texts.includes('May') && texts.includes('June'));
    const homes = names.filter(name => ['Personal', 'north', 'south', 'May', 'June'].includes(name));
    assert.deepEqual(homes, ['Personal', 'north', 'May', 'south', 'June']);
  });

  it('opens the queries file of the selected folder or tree item', async () => {
    const assertOpened = async (folder: string): Promise<void> => {
      const shows = async () => workbench.page.locator('.breadcrumbs-control').first().innerText();
      await until(
        `the file of ${folder}`,
        shows,
        words => words.includes(folder) && words.includes('grid-queries.json'),
      );
      await workbench.closeEditors();
    };
    await workbench.runCommand('Grid Data: Open Workspace Queries File');
    await workbench.quickInput.waitItem('south');
    await workbench.quickInput.pick('south');
    await assertOpened('south');
    await chooseFromItemMenu(workbench, 'south', 'Open Workspace Queries File');
    await assertOpened('south');
  });

  it('edits only the queries file that holds the query', async () => {
    const previousText = text('north');
    await chooseFromItemMenu(workbench, 'June', 'Rename…');
    await workbench.quickInput.waitOpen('Rename June');
    await workbench.quickInput.type('Winter');
    await workbench.quickInput.accept();
    await until(
      'the new name',
      async () => Promise.resolve(text('south')),
      texts => texts.includes('Winter'),
    );
    assert.equal(text('north'), previousText);
  });
});
