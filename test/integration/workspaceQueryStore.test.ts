import assert from 'node:assert/strict';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { GridDataApi } from '../../api/grid-data-inspector.d.ts';
import {
  addItems,
  renameItem,
  removeItems,
  restoreItems,
  type RemovedItems,
} from '../../src/core/savedQueries/edit.ts';
import type { SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import { VirtualClock } from '../unit/service/virtualClock.ts';
import { allIds, findItem } from '../../src/core/savedQueries/walk.ts';
import { WorkspaceQueryStore } from '../../src/host/savedQueries/workspaceQueryStore.ts';
import { systemClock as clock } from '../../src/host/systemPorts.ts';
import { until } from '../support/until.ts';
import { captureShownTexts } from './screen.ts';

const stress: SavedQuery = {
  kind: 'query',
  id: 'stress',
  name: 'Stress',
  query: { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' },
};

/** Skips tests that need the schema if VS Code cannot load it: its JSON server decodes the URL twice, so it fails in folders such as `100%20`. */
function needsSchema(test: Mocha.Context): void {
  const path = vscode.extensions.getExtension('grid-data.grid-data-inspector')?.extensionPath ?? '';
  if (!/%[\da-f]{2}/i.test(path)) return;
  console.log(`      skipped: VS Code finds no schema in ${path}`);
  test.skip();
}

describe('the queries file of a workspace folder', () => {
  let store: WorkspaceQueryStore;
  let folder: vscode.WorkspaceFolder;
  const onDisk = async (): Promise<string> => readFile(store.uri.fsPath, 'utf8');
  const names = (): string[] => store.tree().map(({ name }) => name);
  const storeHas = async (expected: string): Promise<unknown> =>
    until(
      'the text of the store',
      () => store.file.text,
      text => text === expected,
    );

  before(async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    folder = first;
    const extension = vscode.extensions.getExtension<GridDataApi>('grid-data.grid-data-inspector');
    // The first API call loads the code that reports problems.
    (await extension?.activate())?.datasets();
    store = new WorkspaceQueryStore({
      folder,
      name: 'Workspace',
      clock,
      logError: error => assert.fail(String(error)),
    });
    await store.load();
  });
  after(async () => {
    store.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(store.uri.fsPath, { force: true });
  });

  it('creates the queries file on the first edit', async () => {
    assert.equal(store.exists, false);
    await store.edit(tree => addItems(tree, [stress], {}));
    assert.equal(store.exists, true);
    assert.deepEqual(store.tree(), [stress]);
    assert.match(await onDisk(), /"name": "Stress"/);
  });

  it('edits one block of the queries file, preserves its comments, and saves it', async () => {
    const previousText = (await onDisk()).replace('"Stress"', '"Stress" /* ours */');
    await writeFile(store.uri.fsPath, previousText);
    await storeHas(previousText);
    await store.edit(tree => renameItem(tree, 'stress', 'Strain'));
    assert.equal(await onDisk(), previousText.replace('"Stress"', '"Strain"'));
    assert.deepEqual(names(), ['Strain']);
  });

  it('uses the unsaved text of the editor, and leaves it unsaved', async () => {
    const document = await vscode.workspace.openTextDocument(store.uri);
    const previousText = document.getText();
    await replaceAll(document, previousText.replace('"Strain"', '"Unsaved"'));
    await until('the unsaved name', names, ([first]) => first === 'Unsaved');
    await store.edit(tree => addItems(tree, [{ ...stress, id: 'second', name: 'Second' }], {}));
    assert.deepEqual(names(), ['Unsaved', 'Second']);
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk(), previousText);
    assert.equal(await document.save(), true);
    assert.match(await onDisk(), /"Second"/);
  });

  it('reads the typed text after a pause, or at once when a command needs it', async () => {
    const virtualClock = new VirtualClock();
    const otherStore = new WorkspaceQueryStore({
      folder,
      name: 'Other',
      clock: virtualClock,
      logError: error => assert.fail(String(error)),
    });
    try {
      await otherStore.load();
      const document = await vscode.workspace.openTextDocument(store.uri);
      const previousText = document.getText();
      for (const typed of ['U', 'Un', 'Unsa']) {
        await replaceAll(document, previousText.replace('"Unsaved"', `"${typed}"`));
        assert.equal(otherStore.tree()[0]?.name, 'Unsaved');
      }
      assert.equal(virtualClock.pending, 1);
      await virtualClock.advance(200);
      assert.equal(otherStore.tree()[0]?.name, 'Unsa');
      await replaceAll(document, previousText);
      await otherStore.settle();
      assert.equal(otherStore.tree()[0]?.name, 'Unsaved');
      // A late notification of an earlier save triggers one more read.
      await until(
        'the pending reads',
        async () => otherStore.settle().then(() => virtualClock.pending),
        pending => pending === 0,
      );
      await document.save();
    } finally {
      otherStore.dispose();
    }
  });

  it('applies concurrent edits one after the other', async () => {
    await Promise.all(
      ['a', 'b', 'c'].map(async id => store.edit(tree => addItems(tree, [{ ...stress, id, name: id }], {}))),
    );
    assert.deepEqual(names().slice(-3), ['a', 'b', 'c']);
  });

  it('writes no API key into the queries file', async () => {
    const previousText = await onDisk();
    const query = { ...stress.query, params: { apikey: 'x' } };
    await assert.rejects(
      store.edit(tree => addItems(tree, [{ ...stress, id: 'key', query }], {})),
      /looks like a key/,
    );
    assert.equal(await onDisk(), previousText);
  });

  it('leaves invalid JSON alone; shows the valid queries, and reports the rest as a problem', async () => {
    const validText = await onDisk();
    const invalidText = validText.replace(
      '"queries": [',
      '"queries": [ { "name": "Bad", "dataset": "gridStress", "range": "soon" },,',
    );
    await writeFile(store.uri.fsPath, invalidText);
    await storeHas(invalidText);
    assert.ok(names().includes('Unsaved'), names().join());
    await assert.rejects(
      store.edit(tree => renameItem(tree, 'stress', 'Never')),
      { reason: 'cancelled' },
    );
    assert.equal(await onDisk(), invalidText);
    const messages = (): string[] => vscode.languages.getDiagnostics(store.uri).map(({ message }) => message);
    await until('the problem', messages, texts =>
      texts.some(message => message.startsWith("'soon' isn't a valid time range.")),
    );
    await writeFile(store.uri.fsPath, validText);
    await storeHas(validText);
  });

  it('reports one problem per mistake, even while an editor shows the file', async function () {
    needsSchema(this);
    const validText = await onDisk();
    const invalidText = validText.replace(
      '"queries": [',
      '"queries": [ { "name": "Bad", "dataset": "none", "range": "2023", "id": "x" }, { "name": "Soon", "dataset": "gridStress", "range": "soon" }, { "name": "Key", "dataset": "gridStress", "range": "today", "apiKey": "x" },',
    );
    const listProblems = (): string[] =>
      vscode.languages.getDiagnostics(store.uri).map(({ source = '', message }) => `${source}: ${message}`);
    await writeFile(store.uri.fsPath, invalidText);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(store.uri));
    await storeHas(invalidText);
    await until('the problems', listProblems, ({ length }) => length === 3);
    for (const label of ['not accepted', 'soon', 'apiKey'])
      assert.ok(
        listProblems().some(text => text.includes(label)),
        JSON.stringify(listProblems()),
      );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeFile(store.uri.fsPath, validText);
    await storeHas(validText);
  });

  it('restores the exact text of a query when its deletion is undone', async () => {
    const written = `// ours\r\n{\t"queries": [ /* first */ { "name": "Mine", // why\r\n"dataset": "gridStress", "range": "today" }, // last\r\n ], }\r\n`;
    const validText = await onDisk();
    await writeFile(store.uri.fsPath, written);
    await storeHas(written);
    let removed: RemovedItems = { items: [] };
    await store.edit(tree => {
      const removal = removeItems(tree, [...allIds(tree)]);
      removed = removal.removed;
      return removal.tree;
    });
    assert.deepEqual(names(), []);
    await store.edit(tree => restoreItems(tree, removed));
    await until('the file on disk', onDisk, text => text === written);
    await writeFile(store.uri.fsPath, validText);
    await storeHas(validText);
  });

  it('restores the exact bytes when a deletion is undone, including mixed line endings', async () => {
    const validText = await onDisk();
    const written = `{\n  "queries": [\r\n    { "name": "Mixed",\n "dataset": "gridStress", "range": "today" },\r\n    { "name": "Other", "dataset": "gridStress", "range": "today" }\r\n]}\n`;
    await writeFile(store.uri.fsPath, written);
    await until('the names', names, allNames => allNames.join() === 'Mixed,Other');
    let removed: RemovedItems = { items: [] };
    await store.edit(tree => {
      const removal = removeItems(tree, [tree[0]?.id ?? '']);
      removed = removal.removed;
      return removal.tree;
    });
    assert.deepEqual(names(), ['Other']);
    await store.edit(tree => restoreItems(tree, removed));
    assert.equal(await onDisk(), written);
    assert.deepEqual(names(), ['Mixed', 'Other']);
    await writeFile(store.uri.fsPath, validText);
    await storeHas(validText);
  });

  it('reads only whether the queries file exists until it is loaded', async () => {
    const unread = new WorkspaceQueryStore({
      folder,
      name: 'Unread',
      clock,
      logError: error => assert.fail(String(error)),
    });
    try {
      await unread.refresh();
      assert.deepEqual(
        [unread.exists, unread.mayContain(() => true), unread.file.text, unread.tree()],
        [true, true, '', []],
      );
      await unread.load();
      assert.equal(unread.tree().length, store.tree().length);
    } finally {
      unread.dispose();
    }
  });

  it('leaves a queries file that is too large alone, and reports it', async () => {
    const validText = await onDisk();
    const document = await vscode.workspace.openTextDocument(store.uri);
    const readEditor = (): string => document.getText();
    const large = validText + ' '.repeat(400_000);
    await writeFile(store.uri.fsPath, large);
    await until(
      'the problem of the size',
      () => store.file.problems.map(({ code }) => code),
      codes => codes.includes('tooLarge'),
    );
    assert.deepEqual([store.tree(), store.exists], [[], true]);
    const texts = await captureShownTexts(async () =>
      assert.rejects(
        store.edit(tree => renameItem(tree, 'stress', 'Never')),
        { reason: 'cancelled' },
      ),
    );
    assert.ok(texts.some(text => typeof text === 'string' && text.includes('more than 400 kB or 40,000 values')));
    assert.equal(await onDisk(), large);
    // An editor that reads the large file late would show it again after the good one.
    await until('the large text in the editor', () => readEditor() === large);
    await writeFile(store.uri.fsPath, validText);
    await until('the text in the editor', readEditor, text => text === validText);
    await storeHas(validText);
  });

  it('shows a CodeLens above each query, and completes its fields', async function () {
    needsSchema(this);
    const document = await vscode.workspace.openTextDocument(store.uri);
    assert.equal(document.languageId, 'jsonc');
    // VS Code watches the file separately.
    await until(
      'the text of the document',
      () => document.getText(),
      text => text === store.file.text,
    );
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', store.uri);
    const titles = lenses.map(({ command }) => command?.title).filter(title => title === '$(play) Run');
    assert.equal(titles.length, store.tree().length);
    await vscode.window.showTextDocument(document);
    const position = document.positionAt(document.getText().indexOf('"range"'));
    await until(
      'the completions',
      async () => {
        const list = await vscode.commands.executeCommand<vscode.CompletionList>(
          ...(['vscode.executeCompletionItemProvider', store.uri, position] as const),
        );
        return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      },
      labels => labels.includes('keepFresh'),
    );
  });

  it('removes and restores the queries with their workspace folder', async () => {
    const previousNames = names();
    assert.ok(previousNames.length > 0);
    const folderPath = dirname(store.uri.fsPath);
    await rename(folderPath, `${folderPath}-aside`);
    await until(
      'the file gone',
      () => store.exists,
      exists => !exists,
    );
    assert.deepEqual(names(), []);
    await rename(`${folderPath}-aside`, folderPath);
    await until('the file back', () => store.exists);
    assert.deepEqual(names(), previousNames);
  });

  it('changes one block when a query among 2,000 in 50 folders is renamed', async () => {
    const folders = Array.from({ length: 50 }, (_, f) => ({
      kind: 'folder' as const,
      id: `f${f}`,
      name: `Folder ${f}`,
      items: Array.from({ length: 40 }, (_, q) => ({ ...stress, id: `q${f}-${q}`, name: `Query ${f}-${q}` })),
    }));
    await store.edit(() => folders);
    // With auto save, the editor may save the file before the extension does.
    const waitUntilSaved = async (): Promise<unknown> =>
      until('the saved file', async () => (await onDisk()) === store.file.text);
    await waitUntilSaved();
    const previousText = await onDisk();
    await store.edit(tree => renameItem(tree, 'q31-7', 'Renamed'));
    await waitUntilSaved();
    assert.equal(await onDisk(), previousText.replace('"Query 31-7"', '"Renamed"'));
    assert.equal(findItem(store.tree(), 'q31-7')?.name, 'Renamed');
  });
});

async function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}
