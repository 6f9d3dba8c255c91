import assert from 'node:assert/strict';
import type * as code from 'vscode';
import { createFileResult } from '../../../../src/core/dataFile/fileResult.ts';
import type { FileTable } from '../../../../src/core/dataFile/fileTable.ts';
import type { FileSource } from '../../../../src/shared/analysis.ts';
import type { ImportOptions } from '../../../../src/shared/importOptions.ts';
import type { FileJob, ReaderReply } from '../../../../src/service/reader/readerJobs.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { Uri, vscode } from '../../../support/fakeVscode.ts';

const { createFileSource, readJoinedFile } = await import('../../../../src/host/dataFile/joinedFile.ts');
const { ImportOptionsStore } = await import('../../../../src/host/dataFile/importOptionsStore.ts');

const sha256 = '0123456789abcdef'.repeat(4);

/** Returns the reply of a reader: two hours, whose zone must be named. */
function createReply({ options, name, isHashed }: FileJob): ReaderReply {
  if (options.timeZone === undefined) return { kind: 'file', read: { kind: 'needsZone', example: '2026-05-01 00:00' } };
  const values = Float64Array.of(Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 1, 1));
  const frame: FileTable['frame'] = { rowCount: 2, columns: [{ kind: 'time', name: 'ts', path: ['ts'], values }] };
  const zone = { source: 'user', timeZone: options.timeZone } as const;
  const facts = { fileRowCount: 2, omitted: [], provenance: undefined, text: '' };
  const table: FileTable = { frame, zone, ...facts, notes: ['One row was skipped.'] };
  const { result, ...more } = createFileResult(table, name);
  const fileTable = { table, result: { ...result, frame: undefined }, ...more, ...(isHashed && { sha256 }) };
  return { kind: 'file', read: { kind: 'table', fileTable }, frame };
}

describe('a file whose columns are joined', () => {
  const window = { ...vscode.window };
  const workspace = { ...vscode.workspace };
  let jobs: FileJob[];
  let prompts: number;
  let deps: Parameters<typeof createFileSource>[0];

  beforeEach(() => {
    [jobs, prompts] = [[], 0];
    const run = async (job: FileJob) => {
      jobs.push(job);
      return Promise.resolve(createReply(job));
    };
    deps = { readers: { run }, importOptions: new ImportOptionsStore(new FakeState()) } as unknown as typeof deps;
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly code.QuickPickItem[]) => {
        prompts += 1;
        return Promise.resolve(items.find(({ label }) => label.startsWith('SAST')));
      },
    });
    const isInside = ({ path }: Uri): boolean => path.startsWith('/work space/');
    Object.assign(vscode.workspace, {
      workspaceFolders: [{ name: 'work space', uri: new Uri('/work space') }],
      getWorkspaceFolder: (uri: Uri) => (isInside(uri) ? {} : undefined),
      asRelativePath: ({ path }: Uri) => path.replace('/work space/', ''),
      getConfiguration: () => ({ get: () => undefined }),
      fs: { stat: async () => Promise.resolve({ type: 1, size: 10, mtime: 0 }) },
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, window);
    Object.assign(vscode.workspace, workspace);
  });

  const add = async (path: string): Promise<FileSource> => createFileSource(deps, new Uri(path) as unknown as code.Uri);
  const read = async (source: FileSource) => readJoinedFile(deps, source, new AbortController().signal);
  const options: ImportOptions = { timeZone: 'Africa/Johannesburg' };

  it('is named by its path in the workspace, its hash and how the user chose to read it', async () => {
    assert.deepEqual(await add('/work space/meters/plant.csv'), {
      kind: 'file',
      path: 'meters/plant.csv',
      sha256,
      options,
    });
    assert.equal(prompts, 1);
    // The options of the folder apply to another file of it.
    assert.deepEqual((await add('/work space/meters/other.csv')).options, options);
    assert.equal(prompts, 1);
  });

  it('is named by its whole path outside of the workspace, unless a query could not name it', async () => {
    assert.match((await add('/other/plant.csv')).path, /^file:\/\/\/other\/plant\.csv$/);
    await assert.rejects(add('/work space/meters/a\\b.csv'), /without a colon or backslash/);
  });

  it('is read without prompts, with what its header and its notes say', async () => {
    const source: FileSource = { kind: 'file', path: 'meters/plant.csv', sha256, options };
    const { remarks, source: present, result } = await read(source);
    assert.deepEqual(present, source);
    assert.equal(result.frame?.rowCount, 2);
    assert.match(remarks[0] ?? '', /plant\.csv · .*times in SAST/);
    assert.doesNotMatch(remarks[0] ?? '', /folder/);
    assert.deepEqual(remarks.slice(1), ['One row was skipped.']);
    await assert.rejects(read({ kind: 'file', path: 'meters/plant.csv', sha256 }), { reason: 'sourceUnusable' });
    assert.equal(prompts, 0);
  });

  it('is read with the options that the user chose later for its folder, which makes it a changed one', async () => {
    const source: FileSource = { kind: 'file', path: 'meters/plant.csv', sha256, options };
    const chosen: ImportOptions = { timeZone: 'UTC', hour: 'end' };
    await deps.importOptions.set(new Uri('/work space/meters/plant.csv') as unknown as code.Uri, chosen);
    assert.deepEqual((await read(source)).source, { ...source, options: chosen });
    assert.equal(jobs.at(-1)?.options.hour, 'end');
  });

  it('is found in the folder that its path names, if the workspace has several', async () => {
    const folders = ['a', 'b'].map(name => ({ name, uri: new Uri(`/${name}`) }));
    Object.assign(vscode.workspace, { workspaceFolders: folders });
    await read({ kind: 'file', path: 'b/plant.csv', sha256, options });
    await read({ kind: 'file', path: 'meters/plant.csv', sha256, options });
    const paths = jobs.map(({ location }) => ('path' in location ? location.path.replaceAll('\\', '/') : ''));
    assert.deepEqual(paths, ['b/plant.csv', 'a/meters/plant.csv']);
    Object.assign(vscode.workspace, { workspaceFolders: undefined });
    await assert.rejects(read({ kind: 'file', path: 'plant.csv', sha256, options }), { reason: 'fileMissing' });
  });
});
