import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseFaultRules } from '../../../src/sandbox/faults/faultRules.ts';
import { sast, utc } from '../../../src/core/time/zone.ts';
import { formatZonedInstant } from '../../../src/host/messages/times.ts';
import { hourMs } from '../../../src/shared/durations.ts';
import { until } from '../../support/until.ts';
import { createGridWorkspace, type GridWorkspace } from './gridWorkspace.ts';

// The ranges are fixed to the current hour, so that an hour that begins during the test changes nothing.
const hour = Math.floor(Date.now() / hourMs) * hourMs;
const now = hour + hourMs / 2;
const range = (from: number, to: number): string =>
  [from, to].map(hours => new Date(hour + hours * hourMs).toISOString()).join('..');
const demand = { name: 'Demand', dataset: 'systemState', range: range(-24, 0) };
const open = { name: 'Open', dataset: 'systemState', range: range(-24, 48) };
const may = { name: 'May', dataset: 'systemState', range: '2023-05-01..2023-05-07' };
const alerts = [
  { kind: 'condition', condition: 'value >= 0', rows: 3 },
  { kind: 'condition', condition: 'value >= 0.01', on: false },
  { kind: 'late' },
];
const stress = { name: 'Stress', dataset: 'gridStress', range: range(-24, 0), alerts };
const queries = [demand, open, may, stress];

const faults = (text: string) => {
  const rules = parseFaultRules(text);
  assert.ok(typeof rules !== 'string');
  return rules;
};

describe('grid check', () => {
  let workspace: GridWorkspace;
  afterEach(async () => workspace.close());
  const check = async (...args: string[]) => workspace.run('check', ...args);

  it('prints one line and exits with 0 if nothing is found; hours that are not published yet do not count', async () => {
    workspace = await createGridWorkspace(queries, { now });
    assert.deepEqual(await check('Demand'), { code: 0, stdout: 'OK: Demand\n', stderr: '' });
    assert.deepEqual(await check('Demand', 'Open', '--min-coverage', '90'), {
      code: 0,
      stdout: 'OK: Demand, Open\n',
      stderr: '',
    });
    assert.deepEqual(await check('Demand', '--late'), { code: 0, stdout: 'OK: Demand\n', stderr: '' });
  });

  it('finds a coverage below the minimum, by default 99 %', async () => {
    workspace = await createGridWorkspace(queries, { now, delayHours: 6 });
    const { code, stdout, stderr } = await check('Demand');
    assert.deepEqual([code, stderr], [3, '']);
    assert.equal(stdout, 'Demand: Coverage 75 % is below 99 %: 18 of 24 hours.\n');
    assert.equal((await check('Demand', '--min-coverage', '75')).code, 0);
    assert.equal((await check('Demand', '--min-coverage', '75.01')).code, 3);
  });

  it('finds late data, and the newest published row if it is missing', async () => {
    workspace = await createGridWorkspace(queries, { now, delayHours: 6 });
    assert.deepEqual(await check('Demand', '--late', '--zone', 'SAST'), {
      code: 3,
      stdout: `Demand: The service reports late data: no rows since ${formatZonedInstant(hour - 6 * hourMs, sast)}.\n`,
      stderr: '',
    });
    await workspace.close();
    workspace = await createGridWorkspace(queries, { now, faults: faults('holes=100') });
    assert.deepEqual(await check('Demand', '--late'), {
      code: 3,
      stdout: `Demand: The newest published row is missing: ${formatZonedInstant(hour - hourMs, utc)}.\n`,
      stderr: '',
    });
  });

  it('counts the rows in which a condition holds, with the first and the last', async () => {
    workspace = await createGridWorkspace(queries, { now });
    const { stdout: text } = await workspace.run('query', 'May', '--zone', 'SAST', '--format', 'json');
    const rows = (JSON.parse(text) as { ts: string; wind_mw: number | null }[]).filter(row => row.wind_mw !== null);
    const threshold = rows.map(row => Number(row.wind_mw)).sort((a, b) => a - b)[100] ?? NaN;
    const instants = rows.filter(row => Number(row.wind_mw) > threshold).map(row => Date.parse(row.ts));
    assert.ok(instants.length > 50, `${instants.length} of ${rows.length}`);
    const condition = `wind_mw > ${threshold}`;
    const { code, stdout, stderr } = await check('May', '--condition', condition, '--zone', 'SAST');
    assert.deepEqual([code, stderr], [3, '']);
    const [first, last] = [instants[0], instants.at(-1)].map(ms => formatZonedInstant(ms ?? NaN, sast));
    const found = `${instants.length} of ${rows.length} rows, first ${first}, last ${last}`;
    assert.equal(stdout, `May: ${condition}: ${found}.\n`);
    assert.deepEqual(await check('May', '--condition', 'wind_mw > 200000'), {
      code: 0,
      stdout: 'OK: May\n',
      stderr: '',
    });
  });

  it('checks the alerts of a saved query that are on, unless the command line names a check', async () => {
    workspace = await createGridWorkspace(queries, { now, delayHours: 2 });
    const { code, stdout, stderr } = await check('Stress');
    assert.deepEqual([code, stderr], [3, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 3, stdout);
    assert.equal(lines[0], 'Stress: Coverage 91.66 % is below 99 %: 22 of 24 hours.');
    // The first two rows may belong to a run that began before the range.
    assert.match(
      lines[1] ?? '',
      /^Stress: value >= 0 for 3 rows in a row: \d+ of \d+ rows, first .* UTC, last .* UTC\.$/,
    );
    assert.match(lines[2] ?? '', /^Stress: The service reports late data: no rows since .* UTC\.$/);
    assert.equal((await check('Stress', '--min-coverage', '90')).code, 0);
  });

  it('exits with 1 if the rows cannot be fetched, which says nothing about them', async () => {
    workspace = await createGridWorkspace(queries, { now, faults: faults('html=404') });
    const { code, stdout, stderr } = await check('Demand');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^Demand: [^\n]+\n$/);
  });

  it('exits with 1 without a key, and sends nothing', async () => {
    workspace = await createGridWorkspace(queries, { now });
    const { runGrid } = await import('./gridProcess.ts');
    const variables = { ...workspace.variables, GRID_DATA_API_KEY: '' };
    const { code, stdout, stderr } = await runGrid(['check', 'Demand'], { folder: workspace.folder, variables });
    assert.deepEqual([code, stdout, workspace.countRequests()], [1, '', 0]);
    assert.match(stderr, /^No API key, so nothing was sent\. [^\n]+\n$/);
  });

  it('exits with 2 for an invalid percentage or condition', async () => {
    workspace = await createGridWorkspace(queries, { now });
    for (const percent of ['101', '-1', '1e1', 'all'])
      assert.deepEqual(await check('Demand', `--min-coverage=${percent}`), {
        code: 2,
        stdout: '',
        stderr: '--min-coverage takes a percentage from 0 to 100.\n',
      });
    assert.equal(workspace.countRequests(), 0);
    const { code, stdout, stderr } = await check('Demand', '--condition', 'wind > 1');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^Condition 'wind > 1': Unknown column 'wind'\.[^\n]*\n$/);
  });

  it('exits with 4 and sends nothing if it needs more requests than allowed', async () => {
    workspace = await createGridWorkspace(queries, { now });
    const { code, stdout } = await check('Demand', 'Stress', '--max-requests', '1');
    assert.deepEqual([code, stdout, workspace.countRequests()], [4, '', 0]);
  });

  it('exits with 130 when it is interrupted', async () => {
    workspace = await createGridWorkspace(queries, { now, faults: faults('latency=90000') });
    const { folder, variables, countRequests, key } = workspace;
    const entry = fileURLToPath(new URL('../../../src/cli/grid.ts', import.meta.url));
    const env = { PATH: process.env['PATH'], HOME: folder, ...variables };
    const child = spawn(process.execPath, [entry, 'check', 'Demand'], { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
    const closed = new Promise<number | null>(resolve => child.once('close', resolve));
    await until('the request', countRequests);
    child.kill('SIGINT');
    assert.equal(await closed, 130);
    assert.ok(!output.includes(key));
    assert.equal(output, '');
  });
});
