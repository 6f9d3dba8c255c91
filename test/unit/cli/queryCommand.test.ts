import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { removeControls } from '../../../src/cli/queryCommand.ts';
import { startSandbox, type RunningSandbox } from '../../../src/sandbox/embedded.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { runGrid } from './gridProcess.ts';

const grid = fileURLToPath(new URL('../../../src/cli/grid.ts', import.meta.url));
const day = ['--dataset', 'systemState', '--range', '2023-05-01'];

describe('grid query', () => {
  let sandbox: RunningSandbox;
  let folder: string;
  let key: string;
  let variables: Record<string, string>;

  beforeEach(async () => {
    sandbox = await startSandbox();
    key = sandbox.createKey('grid').value;
    folder = join(createTemporaryFolder(), 'a folder');
    mkdirSync(join(folder, '.vscode'), { recursive: true });
    variables = {
      GRID_DATA_URL: sandbox.baseUrl,
      GRID_DATA_STORAGE: join(folder, 'storage'),
      GRID_DATA_API_KEY: key,
    };
  });
  afterEach(async () => sandbox.close());

  const run = async (...args: string[]) => runGrid(['query', ...args], { folder, variables });

  function countRequests(): number {
    const { prefix = '' } = sandbox.keys.list()[0] ?? {};
    const { normalized_data: state, features: stress } = sandbox.usage.getUsage(prefix);
    return state.lastMinute.accepted + stress.lastMinute.accepted;
  }

  function saveQueries(queries: readonly object[]): void {
    writeFileSync(join(folder, '.vscode', 'grid-queries.json'), JSON.stringify({ queries }));
  }

  it('joins the columns of a file of the workspace, and says if it has changed or is gone', async () => {
    const text = `time;kWh\n${Array.from({ length: 24 }, (_, hour) => `2023-05-01 ${String(hour + 1).padStart(2, '0')}:00;${hour * 1000}`).join('\n')}\n`;
    writeFileSync(join(folder, 'plant.csv'), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const options = { timeZone: 'UTC', hour: 'end' };
    const save = (hash: string): void =>
      saveQueries([
        {
          name: 'Plant',
          dataset: 'systemState',
          range: '2023-05-01',
          interval: '1h',
          analysis: {
            join: [{ kind: 'file', path: 'plant.csv', sha256: hash, options }],
            derive: [{ name: 'cost', formula: 'kWh * 1000 R/MWh' }],
          },
        },
      ]);
    save(sha256);
    const plant = ['Plant', '--format', 'ndjson', '--fields', 'ts,kWh,cost'];
    const { code, stdout, stderr } = await run(...plant);
    assert.deepEqual([code, stderr], [0, '']);
    const rows = stdout.trimEnd().split('\n');
    // The time of the file is the end of each hour, and 23,000 kWh at 1,000 R/MWh cost R23,000.
    const last = JSON.parse(rows[23] ?? '') as Record<string, unknown>;
    assert.deepEqual([last['ts'], last['kWh'], last['cost']], ['2023-05-01T23:00:00Z', 23_000, 23_000]);
    save('0'.repeat(64));
    const changed = await run(...plant);
    assert.deepEqual([changed.code, changed.stdout], [0, stdout]);
    assert.match(changed.stderr, /^Plant: with plant\.csv, which has changed\./);
    rmSync(join(folder, 'plant.csv'));
    const gone = await run('Plant', '--format', 'ndjson', '--fields', 'ts,wind_mw');
    assert.match(gone.stderr, /^Plant: without plant\.csv\. .+\nThe analysis cannot be applied: Column 'cost'/);
    assert.deepEqual([gone.code, gone.stdout.split('\n').length], [1, 25]);
  });

  it('joins a query of its own connection only, and refuses an analysis that is invalid', async () => {
    const query = { dataset: 'systemState', range: '2023-05-01', interval: '1h', connection: 'Desk' };
    const source = { kind: 'query', name: 'Other', dataset: 'systemState', interval: '1h', params: {} };
    const runWith = async (connection: string | undefined) => {
      saveQueries([{ name: 'Joined', ...query, analysis: { join: [{ ...source, connection }] } }]);
      return run('Joined', '--format', 'csv', '--fields', 'ts,wind_mw · Other');
    };
    for (const connection of [undefined, 'Desk']) {
      const { code, stderr, stdout } = await runWith(connection);
      assert.deepEqual([code, stderr, stdout.split('\n').length], [0, '', 26]);
    }
    const other = await runWith('Elsewhere');
    assert.equal(other.code, 1);
    assert.match(other.stderr, /^Joined: without Other\. /);
    saveQueries([{ name: 'Wrong', ...query, analysis: { resample: 'fortnight' } }]);
    const wrong = await run('Wrong');
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  });

  it('prints a table, and the same rows from the archive without a key', async () => {
    const first = await run(...day, '--fields', 'ts,wind_mw');
    assert.deepEqual([first.code, first.stderr], [0, '']);
    const lines = first.stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^ts +wind_mw MW$/);
    assert.equal(lines.length, 25);
    variables = { ...variables, GRID_DATA_API_KEY: '' };
    assert.deepEqual(await run(...day, '--fields', 'ts,wind_mw', '--offline'), first);
    assert.equal(countRequests(), 1);
  });

  it('runs a saved query of the workspace with its analysis, also from a folder in it', async () => {
    const analysis = { resample: 'day', figures: 'energy' };
    const query = { dataset: 'systemState', range: '2023-05-01..2023-05-03', interval: '1h' };
    saveQueries([{ folder: 'Reports', queries: [{ name: 'Days', ...query, analysis }] }]);
    const { code, stdout, stderr } = await run('Reports/Days', '--format', 'ndjson', '--fields', 'ts,wind_mwh,hours');
    assert.deepEqual([code, stderr], [0, '']);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      rows.map(({ ts, hours }) => [ts, hours]),
      [1, 2, 3].map(number => [`2023-05-0${number}T00:00:00Z`, 24]),
    );
    assert.ok(rows.every(({ wind_mwh: energy }) => typeof energy === 'number'));
    const unknown = await run('Weeks');
    assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
    assert.match(unknown.stderr, /^No saved query 'Weeks'\. Use one of 'Reports\/Days'\.\n$/);
    saveQueries([{ name: 'Red\u001b[31m\u009b', ...query }]);
    assert.equal((await run('Weeks')).stderr, "No saved query 'Weeks'. Use one of 'Red[31m'.\n");
  });

  it('prefers a query at a path to a query of the same name in a folder', async () => {
    const query = { name: 'Demand', dataset: 'systemState', interval: '1h' };
    saveQueries([
      { folder: 'Weekly', queries: [{ ...query, range: '2023-05-01..2023-05-03' }] },
      { ...query, range: '2023-05-01' },
    ]);
    const { code, stdout, stderr } = await run('Demand', '--fields', 'ts');
    assert.deepEqual([code, stderr, stdout.trimEnd().split('\n').length], [0, '', 25]);
  });

  it('writes files by their extension', async () => {
    for (const name of ['hours.csv', 'hours.parquet', 'hours.arrow', 'hours.xlsx', 'hours.md'])
      assert.deepEqual(await run(...day, '--out', name), { code: 0, stdout: '', stderr: '' }, name);
    const files = readdirSync(folder).filter(name => name.startsWith('hours.'));
    assert.ok(files.length >= 5, files.join());
    assert.equal(readFileSync(join(folder, 'hours.csv'), 'utf8').trimEnd().split('\n').length, 25);
    assert.equal(readFileSync(join(folder, 'hours.parquet')).subarray(0, 4).toString(), 'PAR1');
  });

  it('fails if a request failed, and prints the archived rows', async () => {
    assert.equal((await run(...day)).code, 0);
    sandbox.keys.revoke(sandbox.keys.list()[0]?.prefix ?? '');
    const { code, stdout, stderr } = await run('--range', '2023-05-01..2023-05-02', '--fields', 'ts');
    assert.deepEqual([code, stdout.trimEnd().split('\n').length], [1, 25]);
    assert.match(stderr, /^systemState: The service rejected this key \(401\)\./);
  });

  it('says in one sentence that a file cannot be written', async () => {
    const { code, stdout, stderr } = await run(...day, '--out', join('missing', 'hours.csv'));
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^The folder of .*hours\.csv no longer exists\. Choose another one\.\n$/);
  });

  it('writes a response that is not a table as JSON only', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('null');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    variables = { ...variables, GRID_DATA_URL: `http://127.0.0.1:${port}` };
    try {
      const { code, stderr } = await run(...day, '--out', 'hours.parquet');
      assert.deepEqual([code, stderr], [1, 'The response is not a table, so only --format json can write it.\n']);
      assert.ok(!readdirSync(folder).includes('hours.parquet'));
      assert.deepEqual(await run(...day, '--format', 'json'), { code: 0, stdout: 'null', stderr: '' });
    } finally {
      server.close();
    }
  });

  it('succeeds if the reader of a pipe ends first', async () => {
    const child = spawn(process.execPath, [grid, 'query', '--range', '2023', '--format', 'xlsx'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0);
  });

  it('sends nothing if more requests are needed than allowed, or if there is no key', async () => {
    const expensive = await run(...day, '--max-requests', '0');
    assert.deepEqual(
      [expensive.code, expensive.stderr],
      [0, 'The archive has no rows of this range, and no request was allowed.\n'],
    );
    const joined = await run('--dataset', 'stateAndStress', '--range', '2023-05-01', '--max-requests', '1');
    assert.equal(joined.code, 4);
    assert.match(
      joined.stderr,
      /^This needs 2 requests\. Nothing was sent\. Allow them by --max-requests 2, or .*\.\n$/,
    );
    variables = { ...variables, GRID_DATA_API_KEY: '' };
    const withoutKey = await run(...day);
    assert.deepEqual([withoutKey.code, withoutKey.stdout], [1, '']);
    assert.match(withoutKey.stderr, /^No API key, so nothing was sent\./);
    assert.equal(countRequests(), 0);
  });

  it('says in one sentence what is wrong with an argument', async () => {
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['--range', 'some time'], /'some time' isn't a valid time range/],
      [[...day, '--format', 'pdf'], /^Unknown format 'pdf'\. Use table, /],
      [[...day, '--analysis', '{'], /^--analysis takes JSON/],
      [[...day, '--analysis', '{"resample":"fortnight"}'], /^--analysis: resample: /],
      [[...day, '--colour'], /^Unknown option '--colour'\. 'grid --help' lists the options\.$/m],
      [[...day, '--max-requests', '-1'], /^Option '--max-requests' argument is ambiguous\. 'grid --help' lists/],
      [[...day, '--key', key], /^A key is never an argument/],
      [[...day, '--param', 'components'], /^--param takes NAME=VALUE/],
      [['Days'], /^No \.vscode.grid-queries\.json in this folder or above it\./],
    ];
    for (const [args, sentence] of wrong) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, sentence);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
      assert.ok(!stderr.includes(key));
    }
  });

  it('writes the key nowhere, also if the service rejects it', async () => {
    variables = { ...variables, GRID_DATA_API_KEY: 'sb_test_canary4canary' };
    const { code, stdout, stderr } = await run(...day, '--verbose');
    assert.equal(code, 1);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    assert.ok(files.length > 0);
    const texts = files.map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'latin1')}`);
    for (const text of [stdout, stderr, ...texts]) assert.ok(!text.includes('canary4canary'), text.slice(0, 200));
  });
});

describe('removeControls', () => {
  it('removes what a terminal would obey, also from characters that two chunks share', async () => {
    const bytes = Buffer.from('a\u001b[31m,b\u009b1m\u202e\u0007\tc é\r\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      let text = '';
      for await (const chunk of removeControls(Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)])))
        text += String(chunk);
      assert.equal(text, 'a[31m,b1m\tc é\r\n');
    }
  });
});
