import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { recordsToFrame } from '../../src/core/decode/decode.ts';
import { succeeds, until } from '../support/until.ts';
import { exportToBytes } from '../unit/service/export/anyFrame.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';
import { setWorkspaceSettings } from './support.ts';

describe('data files under version control', () => {
  let workbench: Workbench;
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.test'];
    execFileSync('git', [...identity, ...args], { cwd: workbench.folder });
  };
  const write = async (mw: number): Promise<void> => {
    const frame = recordsToFrame([0, 1, 2].map(hour => ({ ts: `2026-05-01T0${hour}:00:00Z`, wind_mw: mw + hour })));
    for (const format of ['csv', 'parquet'] as const)
      writeFileSync(join(workbench.folder, `a.${format}`), await exportToBytes({ frame }, { format }));
  };
  /** Reads the last cell of the first row of each visible file, by the name on its page. */
  const readFirstCells = async (): Promise<Record<string, string | undefined>> => {
    const pages = workbench.page.frames().map(async frame => {
      const header = await frame.locator('header .parts').allInnerTexts();
      const cells = await frame.locator('[role=gridcell]').allInnerTexts();
      return [header.join('').split(' · ')[0] ?? '', cells[1]] as const;
    });
    // A page may have no rows yet, or close while it is read.
    const entries = await Promise.all(pages).catch(() => []);
    return Object.fromEntries(entries.filter(([name]) => name !== ''));
  };
  const assertVersions = async (name: string, versions: Readonly<Record<string, string>>): Promise<void> => {
    const isExpected = (entries: Readonly<Record<string, unknown>>): boolean => isDeepStrictEqual(entries, versions);
    await until(
      `the versions of ${name}`,
      async () => {
        // The list is updated shortly after each change of a file. A click before that opens other versions, or none.
        await workbench.treeRow(name).click();
        await succeeds(until('the versions', readFirstCells, isExpected, 20_000));
        return readFirstCells();
      },
      isExpected,
    );
  };

  before(async () => {
    workbench = await startWorkbench({ requiredBuiltins: ['git', 'git-base'], settings: { 'git.enabled': true } });
    await write(100);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'First');
    await write(200);
    const associations = { '*.csv': 'gridData.dataFile', '*.parquet': 'gridData.dataFile' };
    await setWorkspaceSettings(workbench, {
      'workbench.editorAssociations': associations,
      'workbench.diffEditorAssociations': associations,
    });
    await workbench.openSidebar('Source Control');
  });
  disposeAfter(() => [workbench]);

  it('shows the committed rows beside the current ones', async () => {
    for (const name of ['a.csv', 'a.parquet'])
      await assertVersions(name, { [`${name} (Index)`]: '100', [name]: '200' });
  });

  it('shows the committed rows beside the staged ones', async () => {
    await write(200);
    git('add', '--all');
    await workbench.treeRow('Staged Changes').waitFor();
    await write(300);
    for (const name of ['a.csv', 'a.parquet'])
      await assertVersions(name, { [`${name} (HEAD)`]: '100', [`${name} (Index)`]: '200' });
  });
});
