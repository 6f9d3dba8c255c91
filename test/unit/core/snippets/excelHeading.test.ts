import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { type DataFile, createPandasReader, formatPandasSnippet } from '../../../../src/core/snippets/dataFile.ts';
import { exportToBytes, utc } from '../../service/export/anyFrame.ts';
import { has, python, run, runText } from './tools.ts';
import { detectFormat } from '../../../../src/core/snippets/exportedData.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const data: DataFile = {
  ...detectFormat('', 'xlsx'),
  path: 'day.xlsx',
  form: 'xlsx',
  timeZone: 'Asia/Kolkata',
};

describe('a selected Excel file', () => {
  it('states the time zone of its dates in the heading', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const { lines } = createPandasReader(data);
    const finding = lines.filter(line => /^(zones|headings?|named|zone) = /.test(line)).join('\n');
    const headings = ['Hour (SAST)', 'Uur (UTC)', 'ts (Europe/Berlin)', 'ts'];
    const withTwoZones = `frame.columns = ["ts (Europe/Berlin)", "ts (UTC)", "v"]\n${finding}\nprint(heading, zone, sep=";")`;
    const headingPrograms = headings.map(
      heading =>
        `frame.columns = ["tso (x)", 5, "Price (R/MWh)", ${JSON.stringify(heading)}]\n${finding}\nprint(heading, zone, sep=";")`,
    );
    const { stdout, stderr } = await runText(
      python,
      's.py',
      `import types\nfrom zoneinfo import available_timezones\nframe = types.SimpleNamespace()\n${[...headingPrograms, withTwoZones].join('\n')}\n`,
    );
    assert.deepEqual(
      stdout.trim().split('\n'),
      [
        'Hour (SAST);Africa/Johannesburg',
        'Uur (UTC);UTC',
        'ts (Europe/Berlin);Europe/Berlin',
        'ts;Asia/Kolkata',
        'ts (UTC);UTC',
      ],
      stderr,
    );
  });

  it('reads an Excel file with pandas, where installed, in the time zone of the file', async function () {
    if (!(await has(python, '-c', 'import pandas, openpyxl'))) this.skip();
    const rows = [0, 1, 2].map(hour => ({ ts: `2023-05-01T0${hour}:00:00Z`, v: hour + 0.5 }));
    const folder = createTemporaryFolder();
    const path = join(folder, 'day.xlsx');
    await writeFile(path, await exportToBytes({ frame: recordsToFrame(rows) }, { format: 'xlsx', zone: utc }));
    const script = join(folder, 's.py');
    await writeFile(script, `${formatPandasSnippet({ ...data, path })}\nprint("FIRST", frame.index[0].isoformat())\n`);
    const { stdout, stderr } = await run(python, [script]);
    assert.match(stdout, /FIRST 2023-05-01T00:00:00\+00:00/, stderr);
  });
});
