import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { FileSessionDeps } from '../../../../src/host/dataFile/fileSession.ts';
import { runJob, type FileJob, type ReaderReply } from '../../../../src/service/reader/readerJobs.ts';
import type { ViewState } from '../../../../src/shared/protocol.ts';
import { Uri, vscode } from '../../../support/fakeVscode.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { settle, VirtualClock } from '../../service/virtualClock.ts';

const { FileSession } = await import('../../../../src/host/dataFile/fileSession.ts');
const { ImportOptionsStore } = await import('../../../../src/host/dataFile/importOptionsStore.ts');
const { ResultPanel } = await import('../../../../src/host/panel/resultPanel.ts');

const csv = (...values: readonly number[]): string =>
  ['ts,mw', ...values.map((value, hour) => `2026-05-01T0${hour}:00:00Z,${value}`), ''].join('\n');
function createUri(scheme: string, query = '', path = '/folder/a.csv'): Uri {
  const withPath = (change: { readonly path?: string }): Uri => createUri(scheme, query, change.path ?? path);
  return Object.assign(new Uri(path), { scheme, query, with: withPath });
}

const comparedFile = createUri('memory', '', '/folder/b.csv');

describe('an open data file', () => {
  let clock: VirtualClock;
  /** The content of the file, or undefined if it does not exist. */
  let text: string | undefined;
  /** The content of the compared file, or undefined if it does not exist. */
  let comparedText: string | undefined;
  /** Functions that complete the readings in progress. */
  let readings: (() => Promise<unknown>)[];
  let states: ViewState[];
  let watcherCount: number;
  let change: () => void;
  let close: (() => void)[];
  const { workspace } = vscode;
  const originalWorkspace = { ...workspace, fs: { ...workspace.fs } };

  beforeEach(() => {
    [clock, text, readings, states, watcherCount, close] = [new VirtualClock(), csv(1), [], [], 0, []];
    const watcher = {
      onDidChange: (react: (uri: unknown) => void) => {
        change = () => react(createUri('memory'));
        return watcher;
      },
      onDidCreate: () => watcher,
      onDidDelete: () => watcher,
      dispose: () => undefined,
    };
    Object.assign(workspace, {
      asRelativePath: (uri: Uri | string) => (typeof uri === 'string' ? uri : uri.path),
      createFileSystemWatcher: () => ({ ...watcher, number: watcherCount++ }),
    });
    const readText = async ({ path }: Uri): Promise<string> => {
      const content = path.endsWith('a.csv') ? text : path.endsWith('b.csv') ? comparedText : undefined;
      return content === undefined ? Promise.reject(new Error('FileNotFound')) : Promise.resolve(content);
    };
    Object.assign(Uri, { parse: () => comparedFile });
    Object.assign(workspace.fs, {
      isWritableFileSystem: (scheme: string) => scheme !== 'git',
      stat: async (uri: Uri) => ({ type: 1, size: (await readText(uri)).length, mtime: Date.UTC(2026, 4, 2) }),
      readFile: async (uri: Uri) => Buffer.from(await readText(uri)),
    });
    mock.method(ResultPanel.prototype, 'show', (state: ViewState) => void states.push(state));
  });
  afterEach(() => {
    for (const react of close) react();
    mock.restoreAll();
    Object.assign(workspace, originalWorkspace, { fs: Object.assign(workspace.fs, originalWorkspace.fs) });
  });

  /** Opens the file and starts its first reading. */
  async function open(uri = createUri('memory')): Promise<InstanceType<typeof FileSession>> {
    const readers = {
      run: async (job: FileJob, { signal }: { signal: AbortSignal }): Promise<ReaderReply> => {
        const reply = Promise.withResolvers<ReaderReply>();
        readings.push(async () => {
          signal.throwIfAborted();
          await runJob({ ...job, kind: 'file' }, async message => {
            if (message.kind !== 'texts') reply.resolve(message);
            return Promise.resolve();
          });
        });
        return reply.promise;
      },
    };
    const panel = {
      onDidDispose: (react: () => void) => close.push(react),
      onDidChangeViewState: () => undefined,
      webview: { asWebviewUri: String, onDidReceiveMessage: () => undefined },
    };
    const deps = {
      clock,
      readers,
      importOptions: new ImportOptionsStore(new FakeState()),
      panel: { extensionUri: new Uri('/extension'), newNonce: String },
      report: (error: unknown) => assert.fail(String(error)),
    };
    const session = new FileSession(deps as unknown as FileSessionDeps, uri as never, panel as never);
    void session.read();
    await settle();
    return session;
  }
  async function read(): Promise<void> {
    await readings.at(-1)?.();
    await settle();
  }
  /** Returns the states that were shown since the last call: the number of rows or the kind of view, with an error if there is one. */
  function takeShownStates(): string[] {
    return states.splice(0).map(state => {
      const error = state.header.find(({ tone, text: part }) => tone === 'warning' && part.startsWith('Cannot'));
      const view = state.view === 'table' ? `${state.frame.rowCount} rows` : state.view;
      return error ? `${view}, ${error.text}` : view;
    });
  }

  it('reads a file again after the last of several changes, and shows the earlier rows until then', async () => {
    await open();
    await read();
    assert.deepEqual(takeShownStates(), ['loading', '1 rows']);
    text = csv(1, 2);
    for (let count = 0; count < 10; count++) {
      change();
      await clock.advance(250);
    }
    assert.equal(readings.length, 1);
    await clock.advance(50);
    assert.equal(readings.length, 2);
    await read();
    assert.deepEqual(takeShownStates(), ['2 rows']);
    await clock.advance(60_000);
    assert.deepEqual([readings.length, clock.pending], [2, 0]);
  });

  it('reads a file again every few seconds while a program writes it ten times a second', async () => {
    await open();
    await read();
    takeShownStates();
    for (let tenth = 0; tenth < 120; tenth++) {
      text = csv(...Array.from({ length: 1 + (tenth % 5) }, () => tenth));
      change();
      await clock.advance(100);
      await read();
    }
    assert.equal(readings.length, 1 + 2);
    assert.equal(takeShownStates().length, 2);
  });

  it('reads a file once at a time, and cancels no reading when the file changes', async () => {
    await open();
    await read();
    takeShownStates();
    text = csv(1, 2);
    change();
    await clock.advance(300);
    for (let tenth = 0; tenth < 200; tenth++) {
      change();
      await clock.advance(100);
    }
    assert.equal(readings.length, 2);
    await read();
    assert.deepEqual(takeShownStates(), ['2 rows']);
    text = csv(1, 2, 3);
    await clock.advance(300);
    assert.equal(readings.length, 3);
    await read();
    assert.deepEqual(takeShownStates(), ['3 rows']);
  });

  it('keeps the rows while the file is briefly empty or missing, and reports a file that stays so', async () => {
    await open();
    await read();
    takeShownStates();
    for (const incompleteText of ['ts,mw\n', undefined]) {
      text = incompleteText;
      change();
      await clock.advance(300);
      await read();
      text = csv(1, 2);
      await clock.advance(300);
      await read();
      assert.deepEqual(takeShownStates(), ['2 rows']);
    }
    text = undefined;
    change();
    await clock.advance(300);
    assert.deepEqual(takeShownStates(), []);
    await clock.advance(300);
    assert.deepEqual(takeShownStates(), [
      "2 rows, Cannot read 'a.csv'. Check that it still exists and that you may read it.",
    ]);
    text = 'ts,mw\n';
    change();
    await clock.advance(300);
    await read();
    await clock.advance(300);
    await read();
    assert.deepEqual(takeShownStates(), ['empty']);
  });

  it('compares a file with another one, or shows why that file cannot be read', async () => {
    text = csv(1, 2.5, 3, 4);
    comparedText = csv(1, 2, 3);
    const session = await open();
    await read();
    const header = (): string[] => states.at(-1)?.header.map(part => part.text) ?? [];
    const actions = (): string[] => states.at(-1)?.tools?.actions.map(({ action }) => action) ?? [];
    assert.ok(actions().includes('compareFile') && !actions().includes('showChangedRows'));
    void session.compareWith(comparedFile as never);
    await settle();
    await read();
    await read();
    assert.deepEqual(header().slice(-3), ['compared with b.csv', '1 cell changed in 1 column', '1 row only here']);
    const state = states.at(-1);
    assert.ok(state?.view === 'table');
    assert.deepEqual(state.compared, [['mw', 'mw · compared']]);
    assert.deepEqual(
      state.frame.columns.map(({ name }) => name),
      ['ts', 'ts · compared', 'changed cells', 'mw', 'mw · compared', 'mw · difference', 'mw · percent'],
    );
    const changed = state.header.at(-2);
    assert.deepEqual(
      [changed?.action, changed?.tooltip],
      ['showChangedRows', 'mw: 1 cell changed\n\n2026-05-01: 1 cell changed'],
    );
    assert.equal(session.result?.comparedRange?.name, 'b.csv');
    comparedText = undefined;
    change();
    await clock.advance(300);
    await read();
    assert.deepEqual(header().slice(-2), [
      '4 rows',
      "Cannot read 'b.csv'. Check that it still exists and that you may read it.",
    ]);
    assert.equal(session.result.comparedRange, undefined);
    void session.compareWith(undefined);
    await settle();
    await read();
    assert.equal(header().at(-1), '4 rows');
  });

  it('shows the revision of a Git version, which is not watched and has no modification time', async () => {
    for (const [revision, name] of [
      ['', 'a.csv (Index)'],
      ['~', 'a.csv (Index)'],
      ['HEAD', 'a.csv (HEAD)'],
      ['0123456789abcdef0123456789abcdef01234567', 'a.csv (01234567)'],
    ] as const) {
      await open(createUri('git', JSON.stringify({ path: '/folder/a.csv', ref: revision })));
      await read();
      const { title, header } = states.at(-1) ?? assert.fail();
      assert.deepEqual([title, header[0]], [name, { text: name, tooltip: createUri('git').fsPath }]);
      assert.equal(header[1]?.tooltip, undefined);
    }
    assert.equal(watcherCount, 0);
    await open();
    await read();
    assert.match(states.at(-1)?.header[1]?.tooltip ?? '', /^Modified 2 May 2026/);
    assert.equal(watcherCount, 1);
  });
});
