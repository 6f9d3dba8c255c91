import assert from 'node:assert/strict';
import type * as code from 'vscode';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import type { FileJob, ReaderReply } from '../../../../src/service/reader/readerJobs.ts';
import type { HeaderPart, PanelAction } from '../../../../src/shared/protocol.ts';
import { systemClock } from '../../../../src/host/systemPorts.ts';
import { until } from '../../../support/until.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { Uri, vscode } from '../../../support/fakeVscode.ts';

const { FileSession } = await import('../../../../src/host/dataFile/fileSession.ts');
const { ImportOptionsStore } = await import('../../../../src/host/dataFile/importOptionsStore.ts');

type Deps = ConstructorParameters<typeof FileSession>[0];
interface Posted {
  readonly method: string;
  readonly params: { readonly header?: readonly HeaderPart[]; readonly view?: string };
}

/** A panel that records the messages to its page. */
class FakePanel {
  readonly posted: Posted[] = [];
  readonly visible = true;
  emitMessage: (message: unknown) => void = () => undefined;
  readonly webview = {
    cspSource: 'csp',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: (react: (message: unknown) => void) => (this.emitMessage = react),
    postMessage: async (message: Posted) => Promise.resolve(this.posted.push(message)),
  };
  readonly onDidChangeViewState = (): void => undefined;
  readonly onDidDispose = (): void => undefined;

  get header(): string[] {
    const states = this.posted.filter(({ method, params }) => method === 'state' && params.view !== 'loading');
    return (states.at(-1)?.params.header ?? []).map(({ text }) => text);
  }
}

/** Returns the reply of a reader: a table of local times without a heading, or a failure if the separator is `|`. */
function fakeReply({ options, name }: FileJob): ReaderReply {
  if (options.separator === '|') return { kind: 'failed', reason: 'fileDamaged', facts: {} };
  if (options.timeZone === undefined) return { kind: 'file', read: { kind: 'needsZone', example: '2026-05-01 00:00' } };
  const values = Float64Array.from([Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 1, 1)]);
  const frame: FileTable['frame'] = { rowCount: 2, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] };
  const table: FileTable = {
    frame,
    fileRowCount: 2,
    omitted: [],
    zone: { source: 'user', timeZone: options.timeZone },
    provenance: undefined,
    notes: [],
    importedAs: { ...options, separator: options.separator ?? ';', headingLine: options.headingLine ?? 0 },
    text: '',
  };
  const { result, ...more } = createFileResult(table, name);
  const fileTable = { table, result: { ...result, frame: undefined }, ...more };
  return { kind: 'file', read: { kind: 'table', fileTable }, frame };
}

describe('import options in the panel of a data file', () => {
  const window = { ...vscode.window };
  const workspace = { ...vscode.workspace };
  let state: FakeState;
  let jobs: ImportOptions[];
  let choices: string[];
  let encoding: string | undefined;

  beforeEach(() => {
    [state, jobs, choices, encoding] = [new FakeState(), [], [], undefined];
    const listen = () => ({ dispose: () => undefined });
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly code.QuickPickItem[]) => {
        const choice = choices.shift();
        return Promise.resolve(items.find(({ label }) => choice !== undefined && label.startsWith(choice)));
      },
    });
    Object.assign(vscode.workspace, {
      asRelativePath: String,
      createFileSystemWatcher: () => ({ onDidChange: listen, onDidCreate: listen, onDidDelete: listen }),
      fs: { isWritableFileSystem: () => true, stat: async () => Promise.resolve({ type: 1, size: 10, mtime: 0 }) },
      getConfiguration: () => ({ get: (name: string) => (name === 'encoding' ? encoding : undefined) }),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, window);
    Object.assign(vscode.workspace, { createFileSystemWatcher: undefined, asRelativePath: undefined }, workspace);
  });

  const open = (path: string) => {
    const readers = { run: async (job: FileJob) => Promise.resolve((jobs.push(job.options), fakeReply(job))) };
    const deps = {
      panel: {
        extensionUri: new Uri('/extension') as unknown as code.Uri,
        newNonce: () => 'n',
        hasExported: () => true,
        logError: (line: string) => assert.fail(line),
      },
      clock: systemClock,
      readers,
      importOptions: new ImportOptionsStore(state),
      report: (error: unknown) => assert.fail(String(error)),
    } as unknown as Deps;
    const panel = new FakePanel();
    const uri = new Uri(path) as unknown as code.Uri;
    const session = new FileSession(deps, uri, panel as unknown as code.WebviewPanel);
    panel.emitMessage({ method: 'ready' });
    /** Clicks, and waits until the header shows the text. */
    const click = async (action: PanelAction, text: string): Promise<void> => {
      panel.emitMessage({ method: 'act', params: { action } });
      await until(
        `"${text}" in the header`,
        async () => Promise.resolve(panel.header),
        header => header.includes(text),
      );
    };
    return { session, panel, click };
  };
  const getStoredOptions = (): ImportOptions =>
    new ImportOptionsStore(state).get(new Uri('/data/any.csv') as unknown as code.Uri);
  const sast = { timeZone: 'Africa/Johannesburg' };

  it('prompts for the time zone once in a folder', async () => {
    choices = ['SAST'];
    await open('/data/january.csv').session.read();
    const february = open('/data/february.csv');
    await february.session.read();
    assert.deepEqual(
      jobs.map(({ timeZone }) => timeZone),
      [undefined, 'Africa/Johannesburg', 'Africa/Johannesburg'],
    );
    assert.ok(february.panel.header.includes('options of this folder'));
  });

  it('stores nothing if the user cancels the prompt, and does not prompt again', async () => {
    const { session, panel } = open('/data/january.csv');
    await session.read();
    await session.read();
    assert.deepEqual(
      jobs.map(({ timeZone }) => timeZone),
      [undefined, 'UTC', 'UTC'],
    );
    assert.ok(panel.header.includes('times assumed in UTC'));
    assert.deepEqual(getStoredOptions(), {});
  });

  it('reads the file again with the selected option, and stores it for the folder', async () => {
    const { session, panel, click } = open('/data/january.csv');
    await session.read();
    choices = ['Time Zone', 'SAST', 'Separator', 'Tab'];
    await click('importOptions', 'times in SAST (UTC+2)');
    await until(
      'the separator',
      async () => Promise.resolve(getStoredOptions()),
      options => options.separator === '\t',
    );
    assert.deepEqual(getStoredOptions(), { ...sast, separator: '\t' });
    assert.ok(!panel.header.includes('times assumed in UTC'));
  });

  it('reads the compared file with the options of its folder, including options that are selected later', async () => {
    await new ImportOptionsStore(state).set(new Uri('/data/any.csv') as unknown as code.Uri, sast);
    const comparedUri = new Uri('/data/february.csv');
    Object.assign(Uri, { parse: () => comparedUri });
    const { session, click } = open('/data/january.csv');
    await session.compareWith(comparedUri as unknown as code.Uri);
    await click('toggleHeading', 'heading in line 1');
    const read = jobs.map(({ timeZone, headingLine }) => [timeZone, headingLine]);
    const promptedZone = 'Africa/Johannesburg';
    assert.deepEqual(read, [
      [promptedZone, undefined],
      [promptedZone, undefined],
      [promptedZone, 1],
      [promptedZone, 1],
    ]);
  });

  it('does not store an option that makes the file unreadable', async () => {
    const { session, panel, click } = open('/data/january.csv');
    choices = ['SAST'];
    await session.read();
    choices = ['Separator', 'Bar'];
    await click('importOptions', "'january.csv' is damaged or incomplete.");
    assert.deepEqual(getStoredOptions(), sast);
    choices = ['Separator', 'Automatic'];
    await click('importOptions', 'first line is data');
    await until(
      'the rows without a separator',
      async () => Promise.resolve(panel.header),
      header => !header.includes("'january.csv' is damaged or incomplete."),
    );
    assert.equal(jobs.at(-1)?.separator, undefined);
  });

  it('toggles on a click whether the first line is the heading', async () => {
    await new ImportOptionsStore(state).set(new Uri('/data/any.csv') as unknown as code.Uri, sast);
    const { session, click } = open('/data/january.csv');
    await session.read();
    await click('toggleHeading', 'heading in line 1');
    assert.equal(jobs.at(-1)?.headingLine, 1);
    await click('toggleHeading', 'first line is data');
    await click('toggleHourEnd', 'hour ending');
    assert.deepEqual([jobs.at(-1)?.headingLine, jobs.at(-1)?.hour], [undefined, 'end']);
    assert.deepEqual(getStoredOptions(), { ...sast, hour: 'end' });
  });

  it('uses the encoding of the settings until another one is selected', async () => {
    encoding = 'windows1252';
    await new ImportOptionsStore(state).set(new Uri('/data/any.csv') as unknown as code.Uri, sast);
    const { session, click } = open('/data/january.csv');
    await session.read();
    assert.equal(jobs.at(-1)?.encoding, 'windows-1252');
    choices = ['Encoding', 'UTF-8'];
    await click('importOptions', 'options of this folder');
    await until(
      'the encoding',
      async () => Promise.resolve(jobs.at(-1)?.encoding),
      read => read === 'utf-8',
    );
  });
});
