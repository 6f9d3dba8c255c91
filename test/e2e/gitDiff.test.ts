import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { frameOf } from '../../src/core/decode/decode.ts';
import { until } from '../support/waiting.ts';
import { exported } from '../unit/service/export/anyFrame.ts';
import { endsAfter } from './harness/failures.ts';
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
    const frame = frameOf([0, 1, 2].map(hour => ({ ts: `2026-05-01T0${hour}:00:00Z`, wind_mw: mw + hour })));
    for (const format of ['csv', 'parquet'] as const)
      writeFileSync(join(workbench.folder, `a.${format}`), await exported({ frame }, { format }));
  };
  /** The last cell of the first row of each file on screen, by the name that its page shows. */
  const shown = async (): Promise<Record<string, string | undefined>> => {
    const pages = workbench.page.frames().map(async frame => {
      const header = await frame.locator('header .parts').allInnerTexts();
      const cells = await frame.locator('[role=gridcell]').allInnerTexts();
      return [header.join('').split(' · ')[0] ?? '', cells[1]] as const;
    });
    // A page that is on its way has no rows yet, and one may go while it is looked at.
    const found = await Promise.all(pages).catch(() => []);
    return Object.fromEntries(found.filter(([name]) => name !== ''));
  };
  const shows = async (name: string, versions: Readonly<Record<string, string>>): Promise<void> => {
    await workbench.treeRow(name).click();
    await until(`the versions of ${name}`, shown, found => isDeepStrictEqual(found, versions));
  };

  before(async () => {
    workbench = await startWorkbench({ builtins: ['git', 'git-base'], settings: { 'git.enabled': true } });
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
  endsAfter(() => [workbench]);

  it('show the committed rows beside those of today', async () => {
    for (const name of ['a.csv', 'a.parquet']) await shows(name, { [`${name} (Index)`]: '100', [name]: '200' });
  });

  it('show the committed rows beside the staged ones', async () => {
    git('add', '--all');
    await workbench.treeRow('Staged Changes').waitFor();
    await write(300);
    for (const name of ['a.csv', 'a.parquet'])
      await shows(name, { [`${name} (HEAD)`]: '100', [`${name} (Index)`]: '200' });
  });
});
