import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from '../../scripts/paths.ts';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { installFromVsix, saveBoth } from './savedSupport.ts';
import { openSampleData, tableOf } from './support.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const result = 'System state · last 7 days · hourly';

/** As a person's VS Code is: it may open what it likes to. */
const settings = { 'workbench.welcomePage.walkthroughs.openOnInstall': true };

describe('updating the extension', () => {
  let workbench: Workbench;
  let rows: readonly string[];

  before(async () => (workbench = await startWorkbench({ vsix: packOlder(), settings })));
  endsAfter(() => [workbench]);

  it('runs and saves a query in the version before the update', async () => {
    await openSampleData(workbench);
    const frame = await tableOf(workbench, result);
    await frame.locator('[data-action=save]').click();
    await saveBoth(workbench, 'My week', 'Personal');
    await workbench.closeEditors();
    rows = await until(
      'a connection, a saved query and a run',
      () => rowsOf(workbench),
      all => [/^Sample Data, active/, /^My week/, /168 rows/].every(row => all.some(text => row.test(text))),
    );
  });

  it('opens no tab and shows no notification after an update, and keeps all data', async () => {
    await installFromVsix(workbench);
    await workbench.notifications.waitFor('Completed installing');
    assert.deepEqual(await workbench.editorTabs(), []);
    await workbench.reload();
    await workbench.openSidebar('Grid Data');
    await until(
      'the rows of the trees as before',
      () => rowsOf(workbench),
      after => isDeepStrictEqual(after, rows),
    );
    assert.deepEqual(await workbench.editorTabs(), []);
    const own = (await workbench.notifications.texts()).filter(text => !text.includes('Completed installing'));
    assert.deepEqual(own, []);
  });
});

/** The rows of the trees, without what changes by itself: what is due, and budgets, unknown until Sample Data runs again. */
async function rowsOf(workbench: Workbench): Promise<string[]> {
  const rows = await workbench.treeRows();
  return rows.map(row => row.replaceAll(/, (?:up to date|due|[^,]+: \d+ of \d+ requests left)/g, ''));
}

const parts = ['package.nls.json', 'dist', 'media', 'README.md', 'CHANGELOG.md', 'LICENSE', '.vscodeignore'];

/** Packs the extension as it was before it had a walkthrough: VS Code meets that with the update. */
function packOlder(): string {
  const folder = temporaryFolder();
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { contributes: object };
  const contributes = { ...manifest.contributes, walkthroughs: [] };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, version: '0.0.9', contributes, scripts: {} }),
  );
  const older = join(folder, 'older.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--out', older], {
    cwd: folder,
    stdio: 'pipe',
  });
  return older;
}
