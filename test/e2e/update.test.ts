import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from '../../scripts/paths.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { installFromVsix, enterNameAndStore } from './savedSupport.ts';
import { openSampleData, waitForTable } from './support.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const result = 'System state · last 7 days · hourly';

/** VS Code's default, which allows opening a walkthrough on installation. */
const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };

describe('updating the extension', () => {
  let workbench: Workbench;
  let rows: readonly string[];

  before(async () => (workbench = await startWorkbench({ vsix: packageOlderVersion(), settings })));
  disposeAfter(() => [workbench]);

  it('runs and saves a query in the version before the update', async () => {
    await openSampleData(workbench);
    const frame = await waitForTable(workbench, result);
    await frame.locator('[data-action=save]').click();
    await enterNameAndStore(workbench, 'My week', 'Personal');
    await workbench.closeEditors();
    rows = await until(
      'a connection, a saved query and a run',
      () => readItems(workbench),
      texts => [/^Sample Data, active/, /^My week/, /168 rows/].every(row => texts.some(text => row.test(text))),
    );
  });

  it('opens no tab and shows no notification after an update, and keeps all data', async () => {
    await installFromVsix(workbench);
    await workbench.notifications.waitFor('Completed installing');
    assert.deepEqual(await workbench.editorTabs(), []);
    await workbench.reload();
    await workbench.openSidebar('Grid Data');
    await until(
      'the same tree items as before the update',
      () => readItems(workbench),
      after => isDeepStrictEqual(after, rows),
    );
    assert.deepEqual(await workbench.editorTabs(), []);
    const otherNotifications = (await workbench.notifications.texts()).filter(
      text => !text.includes('Completed installing'),
    );
    assert.deepEqual(otherNotifications, []);
  });
});

/** Reads the tree items, without due times, which change with the clock, and budgets, which are unknown until Sample Data runs. */
async function readItems(workbench: Workbench): Promise<string[]> {
  const rows = await workbench.treeRows();
  return rows.map(row => row.replaceAll(/, (?:up to date|due|[^,]+: \d+ of \d+ requests left)/g, ''));
}

const packagedFiles = [
  'package.nls.json',
  'dist',
  'media',
  'skills',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  '.vscodeignore',
];

/** Packages an older version of the extension without the walkthrough, which the update then adds. */
function packageOlderVersion(): string {
  const folder = createTemporaryFolder();
  for (const path of packagedFiles) cpSync(join(root, path), join(folder, path), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { contributes: object };
  const contributes = { ...manifest.contributes, walkthroughs: [] };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, version: '0.0.9', contributes, scripts: {} }),
  );
  const vsixFile = join(folder, 'older.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', vsixFile], {
    cwd: folder,
    stdio: 'pipe',
  });
  return vsixFile;
}
