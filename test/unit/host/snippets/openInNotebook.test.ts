import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uri, vscode } from '../../../support/fakeVscode.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

/** A file system with case-insensitive names. */
const files = new Map<string, string>();
let saveAs: Uri | undefined;
let suggestedPath: string | undefined;
let openedUris: string[] = [];
const manifest = { contributes: { notebooks: [{ type: 'jupyter-notebook' }] } };

const { openInNotebook, registerOpenInNotebook } = await import('../../../../src/host/snippets/openInNotebook.ts');

const onDisk = (path: string): string => path.toLowerCase().replaceAll('/', '\\');

/** Returns the path that a notebook reads. */
function readPath(notebook: string): unknown {
  const { cells } = JSON.parse(files.get(notebook.toLowerCase()) ?? '') as {
    cells: { id: string; source: string[] }[];
  };
  const code = cells.find(({ id }) => id === 'read')?.source.join('') ?? '';
  // The path is a Python string, which has the same escapes as JSON.
  return JSON.parse(/read_\w+\(("(?:[^"\\]|\\.)*")/.exec(code)?.[1] ?? 'null');
}

describe('Open in Notebook, as if on Windows', () => {
  const csv = { form: 'csv', timeColumn: 'time', timeZone: 'UTC' } as const;
  beforeEach(() => {
    files.clear();
    [saveAs, suggestedPath, openedUris] = [undefined, undefined, []];
  });
  // Other tests in the process share the VS Code mock.
  const { commands, extensions, window, workspace } = vscode;
  const originals = [commands, extensions, window, workspace.fs].map(part => ({ ...part }));
  beforeEach(() => {
    extensions.all = [{ packageJSON: {} }, { packageJSON: manifest }];
    Object.assign(commands, {
      executeCommand: async (id: string, uri: Uri, type: string) =>
        Promise.resolve(openedUris.push([id, uri.fsPath, type].join(' '))),
    });
    Object.assign(window, {
      showSaveDialog: async ({ defaultUri }: { defaultUri: Uri }) => {
        suggestedPath = defaultUri.fsPath;
        return Promise.resolve(saveAs);
      },
    });
    Object.assign(workspace, { asRelativePath: (uri: Uri) => uri.fsPath });
    Object.assign(workspace.fs, {
      stat: async (uri: Uri) =>
        files.has(uri.fsPath.toLowerCase()) ? Promise.resolve({}) : Promise.reject(new Error('FileNotFound')),
      readDirectory: async (uri: Uri) => {
        const below = [...files.keys()].filter(path => path.startsWith(`${uri.fsPath.toLowerCase()}\\`));
        return Promise.resolve(below.map(path => [path.slice(uri.fsPath.length + 1).split('\\')[0], 1]));
      },
      writeFile: async (uri: Uri, bytes: Uint8Array) =>
        Promise.resolve(files.set(uri.fsPath.toLowerCase(), Buffer.from(bytes).toString())),
    });
  });
  afterEach(() => {
    for (const [index, part] of [commands, extensions, window, workspace.fs].entries())
      Object.assign(part, originals[index]);
  });

  it('creates the notebook next to the file, with a relative path', async () => {
    await openInNotebook(new Uri('/C:/Users/Me & You/Stroom/Môre.csv') as never, csv);
    const notebook = String.raw`c:\Users\Me & You\Stroom\Môre.ipynb`;
    assert.deepEqual(openedUris, [`vscode.openWith ${notebook} jupyter-notebook`]);
    assert.equal(readPath(notebook), 'Môre.csv');
  });

  it('does not replace a notebook whose name differs only in case, and ignores the case of the drive', async () => {
    files.set(String.raw`d:\data\day.ipynb`, 'mine');
    saveAs = new Uri('/d:/Data/Day 2.ipynb');
    await openInNotebook(new Uri('/D:/Data/Day.csv') as never, csv);
    assert.equal(suggestedPath, String.raw`d:\Data\Day 2.ipynb`);
    assert.equal(files.get(String.raw`d:\data\day.ipynb`), 'mine');
    assert.equal(readPath(String.raw`d:\Data\Day 2.ipynb`), 'Day.csv');
  });

  it('uses the absolute path of a file on another drive or machine', async () => {
    saveAs = new Uri('/E:/Notebooks/day.ipynb');
    for (const [file, beside, path] of [
      [new Uri('/D:/Data/day.csv'), String.raw`d:\data\day.ipynb`, String.raw`d:\Data\day.csv`],
      [
        new Uri('/share/new/day.csv', 'server'),
        String.raw`\\server\share\new\day.ipynb`,
        String.raw`\\server\share\new\day.csv`,
      ],
    ] as const) {
      files.set(beside, 'mine');
      await openInNotebook(file as never, csv);
      assert.equal(readPath(String.raw`e:\notebooks\day.ipynb`), path);
    }
  });

  it('creates the notebook next to a folder that programs read as one table, with the path from there', async () => {
    const parquet = { ...csv, form: 'parquet' } as const;
    const part = 'dataset=systemState/interval=1h/year=2024/month=01/part-1.parquet';
    for (const names of [[part], ['year=2024/part-1.parquet'], ['part-1.parquet', 'part-2.parquet', '_SUCCESS']]) {
      files.clear();
      openedUris = [];
      for (const name of names) files.set(onDisk(`D:/Data/Out/${name}`), 'rows');
      await openInNotebook(new Uri(`/D:/Data/Out/${names[0]}`) as never, parquet);
      const notebook = String.raw`d:\Data\part-1.ipynb`;
      assert.deepEqual(openedUris, [`vscode.openWith ${notebook} jupyter-notebook`]);
      assert.equal(files.size, names.length + 1);
      assert.equal(readPath(notebook), `Out/${names[0]}`);
    }
    files.clear();
    files.set(onDisk(`D:/Data/Out/${part}`), 'rows');
    await openInNotebook(new Uri('/D:/Data/Out/a.csv') as never, csv);
    assert.equal(readPath(String.raw`d:\data\a.ipynb`), 'Out/a.csv');
    files.set(String.raw`d:\data\part-1.ipynb`, 'mine');
    for (const inside of ['/D:/Data/Out/b.ipynb', '/D:/Data/Out/dataset=systemState/interval=1h/b.ipynb']) {
      saveAs = new Uri(inside);
      const opening = openInNotebook(new Uri(`/D:/Data/Out/${part}`) as never, parquet);
      await assert.rejects(
        opening,
        /'d:\\Data\\Out' would prevent other programs from reading the folder\. Choose another folder/i,
      );
      assert.ok(!files.has(saveAs.fsPath.toLowerCase()));
    }
  });

  it('creates the notebook next to the only Parquet file of a folder', async () => {
    files.set(String.raw`d:\data\day.parquet`, 'rows');
    await openInNotebook(new Uri('/D:/Data/day.parquet') as never, { ...csv, form: 'parquet' });
    assert.equal(readPath(String.raw`d:\data\day.ipynb`), 'day.parquet');
  });

  it('writes nothing if the user cancels', async () => {
    files.set(String.raw`d:\day.ipynb`, 'mine');
    await openInNotebook(new Uri('/D:/day.csv') as never, csv);
    assert.deepEqual([...files.values(), ...openedUris], ['mine']);
  });

  it('accepts a long path with an extension in capitals, and a heading that ends with CRLF', async () => {
    const filePath = join(createTemporaryFolder(), 'DAY.CSV');
    writeFileSync(filePath, '\uFEFFtime;residual_demand_mw\r\n2024-01-01T00:00:00Z;1,5\r\n');
    let run: ((argument: unknown) => Promise<void>) | undefined;
    registerOpenInNotebook({
      register: (_: string, given: typeof run) => {
        run = given;
        return { dispose: () => undefined };
      },
    } as never);
    const folder = `/C:/${'a folder of many letters/'.repeat(12)}`;
    await run?.(new Uri(`${folder}DAY.CSV`, '', filePath));
    const notebook = `c:${folder.slice(3)}DAY.ipynb`.replaceAll('/', '\\');
    assert.equal(readPath(notebook), 'DAY.CSV');
    const text = files.get(notebook.toLowerCase()) ?? '';
    for (const part of ['sep=\\";\\"', 'decimal=\\",\\"', '\\"time\\"', '\\"residual_demand_mw\\"'])
      assert.ok(text.includes(part), part);
  });
});
