import assert from 'node:assert/strict';
import { renameItem } from '../../../../src/core/savedQueries/edit.ts';
import type { SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import type { QueryStore, SavedEntry } from '../../../../src/host/savedQueries/queryStore.ts';
import { Emitter } from '../../../../src/service/emitter.ts';
import { vscode } from '../../../support/fakeVscode.ts';
import { realClock } from '../../../support/realClock.ts';
import { createFolder, createQuery, createIdGenerator, formatTree } from '../../core/savedQueries/trees.ts';

const { Deletions } = await import('../../../../src/host/savedQueries/deletions.ts');
const { QueryStores } = await import('../../../../src/host/savedQueries/queryStores.ts');
const { showInformationMessage } = vscode.window;

describe('moving saved queries and undoing the move', () => {
  let messages: string[];
  let personal: QueryStore;
  let workspace: QueryStore;
  let changed: Emitter;
  let stores: InstanceType<typeof QueryStores>;

  beforeEach(() => {
    messages = [];
    const recordMessage = async (sentence: string): Promise<void> => Promise.resolve(void messages.push(sentence));
    Object.assign(vscode.window, { showInformationMessage: recordMessage });
    changed = new Emitter();
    personal = createStore('Personal', [createQuery('a'), createFolder('f', [createQuery('b')]), createQuery('c')]);
    workspace = createStore('Workspace', [createQuery('b')]);
    stores = new QueryStores({
      personal: { ...personal, onDidChange: changed.event },
      clock: realClock,
      logError: () => undefined,
    });
  });
  afterEach(() => stores.dispose());
  after(() => Object.assign(vscode.window, { showInformationMessage }));

  it('restores moved items to their store and position', async () => {
    const deletions = new Deletions(stores);
    const previousTree = personal.tree();
    await deletions.move(findEntries(personal, 'f', 'c'), { store: workspace, before: 'b' }, createIdGenerator());
    assert.deepEqual([formatTree(personal.tree()), formatTree(workspace.tree())], ['a', 'f(n1) c b']);
    await deletions.move(findEntries(personal, 'a'), { store: workspace }, createIdGenerator());
    assert.deepEqual(messages, ['Moved 2 items to Workspace.', "Moved 'Query a' to Workspace."]);
    await deletions.undo(undefined);
    await deletions.undo(undefined);
    assert.deepEqual(personal.tree(), previousTree);
    assert.equal(formatTree(workspace.tree()), 'b');
  });

  it('keeps an item in both stores if it was changed since the move', async () => {
    const deletions = new Deletions(stores);
    await deletions.move(findEntries(personal, 'a'), { store: workspace }, createIdGenerator());
    await workspace.edit(tree => renameItem(tree, 'a', 'Changed'));
    await deletions.undo(undefined);
    assert.deepEqual([formatTree(personal.tree()), formatTree(workspace.tree())], ['a f(b) c', 'b a']);
  });

  it('notifies once of an undo, and again of a later change', async () => {
    let changeCount = 0;
    stores.onDidChange(() => changeCount++);
    const fireTwice = async (): Promise<void> => {
      changed.fire();
      await Promise.resolve();
      changed.fire();
      assert.equal(changeCount, 0);
    };
    const deletions = new Deletions(stores);
    await deletions.add({ message: 'Moved', undo: fireTwice });
    await deletions.undo(undefined);
    assert.equal(changeCount, 1);
    changed.fire();
    assert.equal(changeCount, 2);
  });

  it('shows no message for a move within a store', async () => {
    await new Deletions(stores).move(findEntries(personal, 'c'), { store: personal, folder: 'f' }, createIdGenerator());
    assert.deepEqual([formatTree(personal.tree()), messages], ['a f(b c)', []]);
  });
});

function createStore(name: string, initialTree: SavedTree): QueryStore {
  let tree = initialTree;
  const edit: QueryStore['edit'] = async change => Promise.resolve(void (tree = change(tree)));
  return {
    key: name,
    kind: name === 'Personal' ? 'personal' : 'workspace',
    name,
    tree: () => tree,
    edit,
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

function findEntries(store: QueryStore, ...ids: readonly string[]): SavedEntry[] {
  return store.tree().flatMap(item => (ids.includes(item.id) ? [{ store, item }] : []));
}
