import { join } from 'node:path';
import type { SavedTree } from '../../src/core/savedQueries/savedItem.ts';
import { replacementBetween, editQueriesFile } from '../../src/core/savedQueries/file/queriesFileEdits.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import { renameItem, formatQueriesFile } from '../../src/core/savedQueries/edit.ts';
import { allQueries, filterTree } from '../../src/core/savedQueries/walk.ts';
import { LockedText } from '../../src/service/savedQueries/lockedText.ts';
import { PersonalQueryStore } from '../../src/service/savedQueries/personalQueryStore.ts';
import { startWorkbench } from '../e2e/harness/start.ts';
import { realClock } from '../support/realClock.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';

const [folders, each, runs, windows] = [50, 40, 7, 3];
const restMs = 4_000;
const storage = ['User', 'globalStorage', 'grid-data.grid-data-inspector', 'savedQueries'];

/** 2,000 saved queries in 50 folders, as somebody has them who keeps everything for years. */
const tree: SavedTree = Array.from({ length: folders }, (_, folder) => ({
  kind: 'folder',
  id: `folder-${folder}`,
  name: `Folder ${folder}`,
  items: Array.from({ length: each }, (__, place) => ({
    kind: 'query',
    id: `query-${folder}-${place}`,
    name: `Query ${folder * each + place}`,
    query: { dataset: 'systemState', range: 'last 7 days', interval: '1h', params: {}, timeZone: 'UTC' },
  })),
}));

/** Reading, filtering and renaming beside JSON.parse of the same text, and the tree in a real VS Code. */
export const bench: Bench = async () => {
  const text = formatQueriesFile([tree]);
  const target = allQueries(tree)[1234];
  const edits = editQueriesFile(text, before => renameItem(before, target?.id ?? '', 'Another name'));
  if (!edits.ok || allQueries(edits.tree).length !== folders * each) throw new Error('not renamed');
  const changed = replacementBetween(text, edits.text);
  const bare = timeOf(() => JSON.parse(text));
  const read = timeOf(() => parseQueriesFile(text));
  const userDataDir = temporaryFolder();
  await homeIn(userDataDir).edit(() => tree);
  const opened: number[] = [];
  for (let run = 0; run < runs; run++) opened.push(await timeOfAsync(async () => homeIn(userDataDir).refresh()));
  return [
    { what: 'the workspace file of 2,000 queries, read', value: read, unit: 'ms' },
    { what: '… against JSON.parse alone', value: read / bare, unit: '×' },
    { what: 'a rename, worked out', value: timeOf(() => editQueriesFile(text, renamed)), unit: 'ms' },
    { what: '… characters it replaces', value: changed.end - changed.start, unit: '', atMost: 100 },
    { what: 'the filter, a letter', value: timeOf(() => filterTree(tree, '123', id => id)), unit: 'ms', atMost: 16 },
    { what: 'the personal queries, from disk', value: median(opened), unit: 'ms' },
    { what: 'VS Code, the tree opens', value: await treeOpens(userDataDir), unit: 'ms', atMost: 200 },
  ];
};

const renamed = (before: SavedTree): SavedTree => renameItem(before, 'query-30-34', 'Another name');

function homeIn(userDataDir: string): PersonalQueryStore {
  const path = join(userDataDir, ...storage, 'savedQueries.json');
  const nowhere = { get: () => undefined, update: async () => Promise.resolve() };
  const file = new LockedText({ path, clock: realClock, random: Math.random });
  return new PersonalQueryStore({ file, state: nowhere, clock: realClock, windowId: 'bench' });
}

/** From the click on our icon to the frame with the first folder, in a window that is up; the median of several. */
async function treeOpens(userDataDir: string): Promise<number> {
  await packExtension();
  const workbench = await startWorkbench({ userDataDir });
  try {
    const { page } = workbench;
    const times: number[] = [];
    for (let run = 0; run < windows; run++) {
      // Opened for the first time in a window whose extensions are up.
      await workbench.runCommand('View: Show Explorer');
      await workbench.reload();
      await workbench.runCommand('Grid Data: Show Log');
      // A person opens it long after the window has come up.
      await new Promise(resolve => setTimeout(resolve, restMs));
      await page.evaluate(watchFolders);
      await page.locator('.part.activitybar .action-item:has([aria-label^="Grid Data"])').first().click();
      times.push(await page.evaluate<number>('window.foldersShown'));
    }
    return median(times);
  } finally {
    await workbench.dispose();
  }
}

const watchFolders = `{
  window.foldersShown = new Promise(resolve => {
    addEventListener('mousedown', () => {
      const began = performance.now();
      const look = () => {
        const lines = [...document.querySelectorAll('.monaco-list-row')];
        const isThere = lines.some(line => line.offsetParent && line.textContent.includes('Folder 1'));
        if (isThere) setTimeout(() => resolve(performance.now() - began));
        else requestAnimationFrame(look);
      };
      look();
    }, { once: true, capture: true });
  });
  // Or else this would wait for it.
  undefined;
}`;

function timeOf(work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return median(times);
}

async function timeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
