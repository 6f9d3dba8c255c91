import { join } from 'node:path';
import type { SavedTree } from '../../src/core/savedQueries/savedItem.ts';
import { replacementBetween, editQueriesFile } from '../../src/core/savedQueries/file/queriesFileEdits.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import { renameItem, formatQueriesFile } from '../../src/core/savedQueries/edit.ts';
import { allQueries, filterTree } from '../../src/core/savedQueries/walk.ts';
import { LockedText } from '../../src/service/files/lockedText.ts';
import { PersonalQueryStore } from '../../src/service/savedQueries/personalQueryStore.ts';
import { startWorkbench } from '../e2e/harness/start.ts';
import { realClock } from '../support/realClock.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';

const folderCount = 50;
const queriesEach = 40;
const runCount = 7;
const windowCount = 3;
const idleMs = 4_000;
const storagePath = ['User', 'globalStorage', 'grid-data.grid-data-inspector', 'savedQueries'];

/** 2,000 saved queries in 50 folders, a collection of many years. */
const tree: SavedTree = Array.from({ length: folderCount }, (_, folder) => ({
  kind: 'folder',
  id: `folder-${folder}`,
  name: `Folder ${folder}`,
  items: Array.from({ length: queriesEach }, (__, position) => ({
    kind: 'query',
    id: `query-${folder}-${position}`,
    name: `Query ${folder * queriesEach + position}`,
    query: { dataset: 'systemState', range: 'last 7 days', interval: '1h', params: {}, timeZone: 'UTC' },
  })),
}));

/** Measures reading, filtering and renaming compared with JSON.parse of the same text, and opening the tree in a real VS Code. */
export const bench: Bench = async () => {
  const text = formatQueriesFile([tree]);
  const target = allQueries(tree)[1234];
  const edits = editQueriesFile(text, tree => renameItem(tree, target?.id ?? '', 'Another name'));
  if (!edits.ok || allQueries(edits.tree).length !== folderCount * queriesEach)
    throw new Error('The query was not renamed.');
  const changed = replacementBetween(text, edits.text);
  const parseMs = measure(() => JSON.parse(text));
  const readMs = measure(() => parseQueriesFile(text));
  const userDataDir = createTemporaryFolder();
  await openStore(userDataDir).edit(() => tree);
  const openTimes: number[] = [];
  for (let run = 0; run < runCount; run++)
    openTimes.push(await measureAsync(async () => openStore(userDataDir).refresh()));
  return [
    { label: 'the workspace file of 2,000 queries, read', value: readMs, unit: 'ms' },
    { label: '… against JSON.parse alone', value: readMs / parseMs, unit: '×' },
    { label: 'computing the edits of a rename', value: measure(() => editQueriesFile(text, renameQuery)), unit: 'ms' },
    { label: '… characters replaced', value: changed.end - changed.start, unit: '', atMost: 100 },
    { label: 'the filter, a letter', value: measure(() => filterTree(tree, '123', id => id)), unit: 'ms', atMost: 16 },
    { label: 'the personal queries, from disk', value: median(openTimes), unit: 'ms' },
    { label: 'VS Code, the tree opens', value: await measureTreeOpening(userDataDir), unit: 'ms', atMost: 200 },
  ];
};

const renameQuery = (tree: SavedTree): SavedTree => renameItem(tree, 'query-30-34', 'Another name');

function openStore(userDataDir: string): PersonalQueryStore {
  const path = join(userDataDir, ...storagePath, 'savedQueries.json');
  const emptyState = { get: () => undefined, update: async () => Promise.resolve() };
  const file = new LockedText({ path, clock: realClock, random: Math.random });
  return new PersonalQueryStore({ file, state: emptyState, clock: realClock, windowId: 'bench' });
}

/** Returns the median milliseconds from the click on the activity bar icon to the frame with the first folder. */
async function measureTreeOpening(userDataDir: string): Promise<number> {
  await packExtension();
  const workbench = await startWorkbench({ userDataDir });
  try {
    const { page } = workbench;
    const times: number[] = [];
    for (let run = 0; run < windowCount; run++) {
      // The tree opens for the first time in a window whose extensions have started.
      await workbench.runCommand('View: Show Explorer');
      await workbench.reload();
      await workbench.runCommand('Grid Data: Show Log');
      // Users open it long after the window has started.
      await new Promise(resolve => setTimeout(resolve, idleMs));
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
      const check = () => {
        const lines = [...document.querySelectorAll('.monaco-list-row')];
        const isFolderVisible = lines.some(line => line.offsetParent && line.textContent.includes('Folder 1'));
        if (isFolderVisible) setTimeout(() => resolve(performance.now() - began));
        else requestAnimationFrame(check);
      };
      check();
    }, { once: true, capture: true });
  });
  // Without this, evaluate would wait for the promise.
  undefined;
}`;

function measure(work: () => unknown): number {
  const times = Array.from({ length: runCount }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return median(times);
}

async function measureAsync(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
