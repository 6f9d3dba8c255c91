import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import { usageText } from '../../../src/sandbox/cliOptions.ts';
import { readingColumns } from '../../../src/sandbox/replay/replaySource.ts';
import { fetchDocumented } from '../../support/documentedResponses.ts';
import { firstOutput } from '../../support/firstMessage.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { createWorkbook } from '../../support/workbook.ts';
import { gridStress, noon, range, systemState } from './fakes.ts';

const cli = fileURLToPath(new URL('../../../src/cli/grid.ts', import.meta.url));

const built = fileURLToPath(new URL('../../../dist/grid.js', import.meta.url));

function run(...args: string[]) {
  return runFile(cli, args);
}

function runFile(file: string, args: readonly string[]) {
  const child = spawn(process.execPath, [file, 'sandbox', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { child, stderr: () => stderr, closed: once(child, 'close') as Promise<[number | null]> };
}

describe('sandbox on the command line', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`prints one line of valid JSON, and exits cleanly on ${signal}`, async () => {
      const { child, closed, stderr } = run('--json');
      const line = await firstOutput(child, 'the sandbox');
      const { url, key } = JSON.parse(line) as { url: string; key: string };
      const response = await fetchDocumented(url + systemState + range(noon - 3_600_000, noon), {
        headers: { 'x-api-key': key },
      });
      assert.equal(response.status, 200);
      child.kill(signal);
      assert.deepEqual(await closed, [0, null]);
      assert.equal(stderr(), '');
    });

  it('exits with 2 and a one-sentence message for an invalid command line', async () => {
    const { closed, stderr } = run('--color');
    assert.deepEqual(await closed, [2, null]);
    assert.equal(stderr(), 'Unknown option --color; --help lists the options.\n');
  });

  it('keeps keys in a state folder, and creates another key only on request', async () => {
    const folder = createTemporaryFolder();
    const createKey = async (...args: string[]): Promise<string | undefined> => {
      const { child, closed, stderr } = run('--json', '--state', folder, ...args);
      const line = await firstOutput(child, 'the sandbox');
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
      assert.equal(stderr(), '');
      return (JSON.parse(line) as { key?: string }).key;
    };
    assert.match((await createKey()) ?? '', /^sb_test_/);
    assert.equal(await createKey(), undefined);
    assert.match((await createKey('--key', 'second')) ?? '', /^sb_test_/);
  });

  it('creates a key with its own limits and access', async () => {
    const { child, closed } = run('--json', '--key', 'desk', '--key-limits', 'normalized_data=1,features=denied');
    const line = await firstOutput(child, 'the sandbox');
    const { url, key } = JSON.parse(line) as { url: string; key: string };
    const requestStatus = async (path: string) =>
      (await fetchDocumented(url + path + range(noon - 3_600_000, noon), { headers: { 'x-api-key': key } })).status;
    const statuses = [
      await requestStatus(gridStress),
      await requestStatus(systemState),
      await requestStatus(systemState),
    ];
    child.kill('SIGTERM');
    assert.deepEqual(statuses, [403, 200, 429]);
    assert.deepEqual(await closed, [0, null]);
  });

  for (const [args, message] of [
    [['--replay', 'no/such/hours.csv'], /^hours\.csv cannot be read \(there is no such file\); check its path\.\n$/],
    [['--replay', dirname(cli)], /^cli is a folder or a device, not a file; name each file in it\.\n$/],
    [['--state', cli], /^The state folder .*grid\.ts cannot be used \(a file is there, .*\); give the path of .*\.\n$/],
  ] as const)
    it(`exits with 1 and a one-sentence message when it cannot start: ${args[0]} ${basename(args[1])}`, async () => {
      const { closed, stderr } = run(...args);
      assert.deepEqual(await closed, [1, null]);
      assert.match(stderr(), message);
    });

  it('prints the JSON line that its help documents', async () => {
    const [, documentedLine = ''] = /--json +(.*)/.exec(usageText) ?? [];
    const names = Array.from(documentedLine.matchAll(/"(\w+)"/g), ([, name]) => name);
    const folder = createTemporaryFolder();
    const row = ['2022-06-23 00:00:00', ...Object.values(readingColumns).map(() => 1)];
    const header = ['Date Time Hour Beginning', ...Object.values(readingColumns)];
    writeFileSync(join(folder, 'hours.csv'), `${header.join()}\n${row.join()}\n`);
    const { child, closed } = run('--json', '--replay', join(folder, 'hours.csv'));
    const line = await firstOutput(child, 'the sandbox');
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    const printed = JSON.parse(line) as { dataEnd: string };
    assert.deepEqual(Object.keys(printed), names);
    assert.equal(printed.dataEnd, '2022-06-22T23:00:00Z');
  });

  it('prints notes on a replayed file at startup, and serves its numbers', async () => {
    const folder = createTemporaryFolder();
    const header = [
      'Date Time Hour Beginning',
      ...Object.values(readingColumns),
      'Total UCLF',
      'Total OCLF',
      'Total UCLF+OCLF',
    ];
    const cells = Object.values(readingColumns).map(() => '1.5');
    const rows = [
      ['23/06/2022 00:00', ...cells, '8000.5', '304.117', '8304,617'],
      ['23/06/2022 01:00', ...cells, '8000.5', '304.117', '8304,047'],
      ['23/06/2022 24:00', ...cells.map((_, index) => (index === 1 ? '20000' : 'NULL')), '', '', ''],
    ];
    const bytes = Buffer.from(`\ufeff${[header, ...rows].map(row => row.join()).join('\r\n')}\r\n`, 'utf16le');
    writeFileSync(join(folder, 'hours.csv'), bytes);
    const { child, closed, stderr } = run('--json', '--replay', join(folder, 'hours.csv'));
    const line = await firstOutput(child, 'the sandbox');
    const { url, key } = JSON.parse(line) as { url: string; key: string };
    const requestedRange = range(Date.UTC(2022, 5, 22, 22), Date.UTC(2022, 5, 23));
    const response = await fetchDocumented(`${url}${systemState}${requestedRange}`, { headers: { 'X-API-KEY': key } });
    const { data } = (await response.json()) as { data: Record<string, unknown>[] };
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    assert.deepEqual(
      data.map(({ ts, wind_mw }) => [ts, wind_mw]),
      [
        ['2022-06-22T22:00:00Z', 1.5],
        ['2022-06-22T23:00:00Z', 1.5],
      ],
    );
    assert.equal(
      stderr(),
      `Replayed by the sandbox from the file hours.csv.
hours.csv: Dates of 'Date Time Hour Beginning' such as '23/06/2022 00:00' are read with the day first.
hours.csv: Cells of 14 columns have no value, the first is 'NULL' in line 4 of 'residual_demand_mw'.
hours.csv: 1 hour (2022-06-23T22:00:00Z) has no measurements and is omitted.
`,
    );
  });

  it('replays a workbook with the built command', async function () {
    if (!existsSync(built)) {
      console.log('      (dist/grid.js is not built)');
      this.skip();
    }
    const folder = createTemporaryFolder();
    const names = ['Date Time Hour Beginning', ...Object.values(readingColumns)];
    const cells = ['2022-06-23 00:00', ...Object.values(readingColumns).map(() => 1.5)];
    writeFileSync(join(folder, 'hours.xlsx'), createWorkbook([names, cells]));
    const wide = strToU8('<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>');
    writeFileSync(join(folder, 'wide.xlsx'), zipSync({ 'xl/worksheets/sheet1.xml': wide }));
    const { child, closed } = runFile(built, ['--json', '--replay', join(folder, 'hours.xlsx')]);
    const line = await firstOutput(child, 'the sandbox');
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
    assert.equal((JSON.parse(line) as { dataEnd: string }).dataEnd, '2022-06-22T23:00:00Z');
    const rejected = runFile(built, ['--json', '--replay', join(folder, 'wide.xlsx')]);
    assert.deepEqual(await rejected.closed, [1, null]);
    assert.match(rejected.stderr(), /^wide\.xlsx: too many columns; .*\n$/);
  });

  it('runs the built command, including its help and its dashboard', async function () {
    if (!existsSync(built)) {
      console.log('      (dist/grid.js is not built)');
      this.skip();
    }
    const help = runFile(built, ['--help']);
    const text = await firstOutput(help.child, 'the help');
    for (const option of ['port', 'seed', 'replay', 'limits', 'key-limits', 'state', 'faults'])
      assert.ok(text.includes(`\n  --${option} `), option);
    assert.deepEqual(await help.closed, [0, null]);
    const { child, closed } = runFile(built, ['--json']);
    const line = await firstOutput(child, 'the sandbox');
    const { url, dashboard } = JSON.parse(line) as { url: string; dashboard: string };
    const health = await fetchDocumented(`${url}/healthz`);
    assert.deepEqual(await health.json(), { status: 'ok' });
    assert.match(dashboard, /\/dashboard\?token=[\w-]{43}$/);
    assert.match(await (await fetch(dashboard)).text(), /<title>Grid data sandbox/);
    assert.equal(
      (await fetch(`${url}/dashboard/copy.js`)).headers.get('content-type'),
      'text/javascript; charset=utf-8',
    );
    child.kill('SIGINT');
    assert.deepEqual(await closed, [0, null]);
  });
});
