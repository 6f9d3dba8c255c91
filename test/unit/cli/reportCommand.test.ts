import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getPeriodDate } from '../../../src/cli/reportPeriod.ts';
import { createGridWorkspace, type GridWorkspace } from './gridWorkspace.ts';

const hourlySystemState = { dataset: 'systemState', interval: '1h' };
const display = { numbers: 'received' };
const rowsQuery = { ...hourlySystemState, name: 'Rows', range: '2023-05-01', note: 'Hours of a *Monday*.', display };
const comparedQuery = {
  ...hourlySystemState,
  name: 'Compared',
  range: '2023-05-08..2023-05-09',
  analysis: { compare: { kind: 'previousPeriod', align: 'position' } },
};
const eventsQuery = {
  ...hourlySystemState,
  name: 'Runs',
  range: '2023-05-01..2023-05-07',
  analysis: {
    find: { rule: { kind: 'condition', condition: 'residual_demand_mw > 24000' }, column: 'residual_demand_mw' },
  },
};
const stressQuery = { name: 'Stress', dataset: 'gridStress', range: '2023-05-01' };
const queries = [
  { folder: 'Weekly', note: 'For the desk.', queries: [rowsQuery, comparedQuery, eventsQuery] },
  stressQuery,
];

/** Returns the text below a heading of a Markdown report, up to the next heading of the same level. */
function getSection(report: string, heading: string): string {
  const [, text = ''] = report.split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

describe('grid report', () => {
  let workspace: GridWorkspace;
  afterEach(async () => workspace.close());

  it('writes one report for all queries of a folder, with the numbers that grid query prints', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, read, list, folder } = workspace;
    assert.deepEqual(await run('report', 'Weekly', '--out', 'my week.md'), { code: 0, stdout: '', stderr: '' });
    const report = read('my week.md');
    assert.match(report, /^# Weekly\n\nFor the desk\.\n/);
    assert.deepEqual(
      Array.from(report.matchAll(/^## (.*)$/gm), ([, title]) => title),
      ['Contents', 'Rows', 'Compared', 'Runs'],
    );
    const pictures = Array.from(report.matchAll(/\]\(<?([^)>]+\.svg)>?/g), ([, path = '']) => decodeURI(path));
    assert.ok(pictures.length >= 2, report.slice(0, 500));
    assert.deepEqual(list(), ['my week.md', ...pictures].sort());
    for (const picture of pictures) assert.match(readFileSync(join(folder, picture), 'utf8'), /^<svg /);

    // The table has the first ten columns, with the digits that the service sent.
    const section = getSection(report, 'Rows');
    assert.match(section, /SAMPLE DATA/);
    assert.match(section, /Hours of a \\\*Monday\\\*\./);
    assert.match(section, /\*\*Range:\*\* 2023-05-01: 1 May 2023 00:00 – 2 May 2023 00:00 UTC/);
    assert.match(section, /\*\*Coverage:\*\* \d+ of 24 hours/);
    const json = JSON.parse((await run('query', 'Rows', '--format', 'json')).stdout) as Record<string, unknown>[];
    const table =
      section
        .split('### Rows\n')[1]
        ?.split('\n')
        .filter(line => line.startsWith('| ')) ?? [];
    const cells = table.map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')));
    const column = cells[0]?.findIndex(heading => heading.startsWith('Residual demand')) ?? -1;
    const reported = cells.slice(2, 2 + json.length).map(cell => cell[column]);
    assert.equal(reported.length, 24);
    assert.deepEqual(
      reported,
      json.map(({ residual_demand_mw: demand }) => String(demand as number)),
    );
    assert.match(getSection(report, 'Compared'), /\*\*Compared with:\*\* previous period: /);

    // The events of the analysis.
    const events = JSON.parse((await run('query', 'Runs', '--format', 'json')).stdout) as object[];
    assert.ok(events.length > 0);
    assert.match(getSection(report, 'Runs'), new RegExp(`### Events\\n[^#]*\\b${events.length} `));
  });

  it('sends no request if all queries together need more requests than --max-requests allows', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, list, countRequests } = workspace;
    const args = ['report', 'Weekly', 'Stress', '--out', 'all.html'];
    const sentence =
      'This needs 2 requests. Nothing was sent. Allow them by --max-requests 2, or choose a shorter range.\n';
    assert.deepEqual(await run(...args, '--max-requests', '1'), { code: 4, stdout: '', stderr: sentence });
    assert.deepEqual([countRequests(), list()], [0, []]);
    // One request covers the four periods of the system state.
    assert.equal((await run(...args, '--max-requests', '2')).code, 0);
    assert.deepEqual([countRequests(), list()], [2, ['all.html']]);
  });

  it('explains the failure in the section of a failed query, and exits with 1', async () => {
    workspace = await createGridWorkspace(queries, {}, { scopes: ['normalized_data'] });
    const { run, read } = workspace;
    const { code, stdout, stderr } = await run('report', 'Stress', 'Rows', '--out', 'both.md', '--title', 'Two <b>');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^Stress: This key has no access to this dataset \(403\)\. [^\n]+\n$/);
    const report = read('both.md');
    assert.match(report, /^# Two \\<b\\?>\n/);
    assert.match(getSection(report, 'Stress'), /^\n+This key has no access to this dataset \(403\)\. [^|]+$/);
    assert.match(getSection(report, 'Rows'), /\| Residual demand/);
  });

  it('writes one report per period with --every, and sends and prints nothing in later runs of the period', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, read, list, countRequests } = workspace;
    const args = ['report', 'Rows', '--out', 'weekly.html', '--every', 'monday', '--zone', 'SAST'];
    const before = getPeriodDate('monday', Date.now(), 'Africa/Johannesburg');
    assert.deepEqual(await run(...args), { code: 0, stdout: '', stderr: '' });
    const [name = ''] = list();
    const dates = [before, getPeriodDate('monday', Date.now(), 'Africa/Johannesburg')];
    assert.ok(dates.map(date => `weekly-${date}.html`).includes(name), name);
    const text = read(name);
    assert.match(text, /SAST/);
    assert.deepEqual(await run(...args, '--title', 'Another'), { code: 0, stdout: '', stderr: '' });
    assert.deepEqual([list(), countRequests()], [[name], 1]);
    assert.equal(read(name), text);
  });

  it('replaces an incomplete report if a later run of the same period succeeds', async () => {
    workspace = await createGridWorkspace(queries, {}, { scopes: ['features'] });
    const { run, list, variables, folder } = workspace;
    const args = ['report', 'Rows', '--out', 'daily.md', '--every', 'day'];
    assert.equal((await run(...args)).code, 1);
    assert.match(list().join(), /^daily-\d{4}-\d\d-\d\d\.incomplete\.md$/);
    const otherWorkspace = await createGridWorkspace(queries);
    try {
      const { runGrid } = await import('./gridProcess.ts');
      const otherVariables = {
        ...variables,
        GRID_DATA_URL: otherWorkspace.variables['GRID_DATA_URL'] ?? '',
        GRID_DATA_API_KEY: otherWorkspace.key,
      };
      assert.equal((await runGrid(args, { folder, variables: otherVariables })).code, 0);
    } finally {
      await otherWorkspace.close();
    }
    assert.match(list().join(), /^daily-[\d-]{10}\.md,daily-[\d-]{10}\/[^,]+\.svg$/);
  });

  it('does not write the key to any file', async () => {
    workspace = await createGridWorkspace(queries);
    const { run, folder, key } = workspace;
    assert.equal((await run('report', 'Weekly', 'Stress', '--out', 'all.md', '--verbose')).code, 0);
    const base = dirname(folder);
    const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    assert.ok(files.length > 5, `${files.length} files`);
    const withKey = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(key));
    assert.deepEqual(withKey, []);
  });

  for (const [args, sentence] of [
    [['Rows'], "'grid report' needs the file to write: --out FILE.html, or FILE.md for Markdown."],
    [
      ['Rows', '--out', 'report.pdf'],
      "'grid report' needs the file to write: --out FILE.html, or FILE.md for Markdown.",
    ],
    [
      ['Rows', '--out', 'r.html', '--every', 'week'],
      "Unknown period 'week'. Use day, monday, tuesday, wednesday, thursday, friday, saturday, sunday, month.",
    ],
    [
      ['Rows', '--out', 'r.html', '--zone', 'Jozi'],
      "Unknown time zone 'Jozi'. Use UTC, SAST or a name such as Europe/Berlin.",
    ],
    [
      ['Row', '--out', 'r.html'],
      "No saved query 'Row'. Use one of 'Weekly/Rows', 'Weekly/Compared', 'Weekly/Runs', 'Stress'.",
    ],
  ] as const)
    it(`rejects invalid arguments with exit code 2, and sends no request: grid report ${args.join(' ')}`, async () => {
      workspace = await createGridWorkspace(queries);
      assert.deepEqual(await workspace.run('report', ...args), { code: 2, stdout: '', stderr: `${sentence}\n` });
      assert.deepEqual([workspace.countRequests(), workspace.list()], [0, []]);
    });
});
