import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { createGridWorkspace, type GridWorkspace } from './gridWorkspace.ts';

const days = {
  name: 'Days',
  dataset: 'systemState',
  range: '2023-04-30..2023-05-01',
  analysis: { where: { wind_mw: '> 100000' }, compare: { kind: 'previousPeriod', align: 'position' } },
};
const stress = { name: 'Stress', dataset: 'gridStress', range: '2023-05-01' };
const queries = [{ folder: 'All', queries: [days, stress] }];

describe('grid export', () => {
  let workspace: GridWorkspace;
  afterEach(async () => workspace.close());

  it('writes the rows as received by dataset, interval, year and month, and replaces them in a later run', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, list, folder, countRequests } = workspace;
    const args = ['export', 'All', '--out', 'lake house'];
    assert.deepEqual(await run(...args), { code: 0, stdout: '', stderr: '' });
    const files = list().filter(path => path.endsWith('.parquet'));
    const folders = ['systemState', 'systemState', 'gridStress'].map(
      (dataset, index) => `lake house/dataset=${dataset}/interval=1h/year=2023/month=0${index === 0 ? 4 : 5}`,
    );
    assert.deepEqual(
      files.map(path => path.replace(/\/part-[0-9a-f]{16}\.parquet$/, '')),
      folders.sort(),
    );
    assert.ok(list().includes('lake house/_SAMPLE DATA.txt'), list().join());
    // The analysis of the saved query changes nothing: its filter accepts no row.
    const april = files.find(path => path.includes('month=04')) ?? '';
    const rows = await parquetReadObjects({ file: new Uint8Array(readFileSync(join(folder, april))).buffer });
    const json = JSON.parse(
      (await run('query', '--dataset', 'systemState', '--range', '2023-04-30', '--format', 'json')).stdout,
    ) as Record<string, unknown>[];
    assert.ok(json.length > 20);
    assert.deepEqual(
      rows.map(row => row['wind_mw'] as unknown),
      json.map(row => row['wind_mw']),
    );
    assert.deepEqual(await run(...args, '--offline'), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual(
      list().filter(path => path.endsWith('.parquet')),
      files,
    );
    assert.equal(countRequests(), 2);
  });

  it('names a query that fails, exits with 1 and writes the others', async () => {
    workspace = await createGridWorkspace(queries, {}, { scopes: ['normalized_data'] });
    const { code, stdout, stderr } = await workspace.run('export', 'All', '--out', 'lake');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^Stress: This key has no access to this dataset \(403\)\. [^\n]+\n$/);
    assert.equal(workspace.list().filter(path => path.endsWith('.parquet')).length, 2);
  });

  it('exits with 1 and writes nothing if no hour is in the archive', async () => {
    workspace = await createGridWorkspace(queries);
    const sentence = 'These queries have no rows with a time, so there is nothing to export.\n';
    assert.deepEqual(await workspace.run('export', 'All', '--out', 'lake', '--offline'), {
      code: 1,
      stdout: '',
      stderr: sentence,
    });
    assert.deepEqual([workspace.list(), workspace.countRequests()], [[], 0]);
  });

  it('exits with 1 if the folder cannot be written, and with 2 without a folder', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, folder, countRequests } = workspace;
    const missing = await run('export', 'All');
    assert.deepEqual(missing, {
      code: 2,
      stdout: '',
      stderr: "'grid export' needs the folder to write to: --out FOLDER.\n",
    });
    assert.equal(countRequests(), 0);
    const { code, stdout, stderr } = await run('export', 'Stress', '--out', '.vscode/grid-queries.json');
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.includes(join(folder, '.vscode', 'grid-queries.json')) && stderr.split('\n').length === 2, stderr);
  });
});
