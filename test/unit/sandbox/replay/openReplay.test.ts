import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { startSandbox } from '../../../../src/sandbox/embedded.ts';
import { openReplay, readingColumns } from '../../../../src/sandbox/replay/replaySource.ts';
import { hourMs } from '../../../../src/shared/durations.ts';
import { parseResponse, fakeService, toHour, noon, range, systemState } from '../fakes.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const columns = Object.values(readingColumns);
const firstMs = Date.UTC(2022, 5, 22, 22);

/** Creates a file with hours counted from `firstMs`, in one of the portal's layouts. The OCGT reading is the number of the hour plus `extra`. */
function createFile(layout: 'one column' | 'two columns', from: number, to: number, extra = 0): string {
  const separator = layout === 'one column' ? ' ' : ',';
  const heading = layout === 'one column' ? 'Date Time Hour Beginning' : 'Date_Time,Time_Hr';
  const rows = Array.from({ length: to - from }, (_, index) => {
    const sast = new Date(firstMs + (from + index + 2) * hourMs).toISOString();
    const cells = columns.map(column => (column === readingColumns.ocgt ? from + index + extra : 1_000));
    return [sast.slice(0, 10) + separator + sast.slice(11, 19), ...cells].join(',');
  });
  return [[heading, ...columns].join(','), ...rows].join('\n');
}

describe('openReplay', () => {
  const folder = createTemporaryFolder();
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };

  it('joins files of both layouts in any order, and reports missing and duplicate hours', async () => {
    const paths = [
      await write('late.csv', createFile('one column', 30, 48)),
      await write('early.csv', createFile('two columns', 0, 24)),
      await write('again.csv', createFile('one column', 23, 25, 500)),
    ];
    const source = await openReplay(paths);
    assert.equal(source.firstHour, toHour(firstMs));
    assert.equal(source.endHour - source.firstHour, 48);
    const ocgt = [22, 23, 24, 25, 30].map(hour => source.hour(source.firstHour + hour)?.record.eskom_ocgt_mw);
    assert.deepEqual(ocgt, [22, 523, 524, undefined, 30]);
    assert.equal(source.hour(source.firstHour + 23)?.record.ocgt_ramp_mw, 501);
    assert.deepEqual(source.notices, [
      'Replayed by the sandbox from the 3 files late.csv, early.csv, again.csv.',
      '1 hour is listed more than once, 1 of them with different readings (the first is 2022-06-23T21:00:00Z): the last row is used, from the file that was named last.',
      '5 hours are missing (from 2022-06-23T23:00:00Z): responses omit them.',
    ]);
    assert.notEqual((await openReplay(paths.toReversed())).identity, source.identity);
  });

  it('rejects an invalid file, and names it', async () => {
    const paths = [await write('right.csv', createFile('one column', 0, 2)), await write('wrong.csv', 'Day,Wind\n1,2')];
    await assert.rejects(openReplay(paths), { name: 'SandboxError', message: /^wrong\.csv: missing column / });
  });

  it('rejects a folder or a missing file, and explains what to do', async () => {
    const message = `${basename(folder)} is a folder or a device, not a file; name each file in it.`;
    for (const path of [folder, folder + sep])
      await assert.rejects(openReplay([path]), { name: 'SandboxError', message });
    await assert.rejects(openReplay([join(folder, 'none.csv')]), {
      name: 'SandboxError',
      message: 'none.csv cannot be read (there is no such file); check its path.',
    });
    const inFile = join(await write('a.csv', ''), 'none.csv');
    await assert.rejects(openReplay([inFile]), {
      name: 'SandboxError',
      message:
        /^none\.csv cannot be read \((?:a file is there, or on the way to it|there is no such file)\); check its path\.$/,
    });
  });

  it('rejects a file larger than 100 MB without reading all of it', async () => {
    const huge = await write('huge.csv', '');
    await truncate(huge, 2 ** 40);
    await assert.rejects(openReplay([huge]), {
      name: 'SandboxError',
      message: 'huge.csv is larger than 100 MB; split it into one file per year.',
    });
  });

  it('shifts hours by whole weeks to the present, and reports the shift in responses and /healthz', async () => {
    const path = await write('long.csv', createFile('two columns', 0, 1_000));
    const [original, shifted] = await Promise.all([openReplay([path]), openReplay([path], noon)]);
    const weeks = (shifted.firstHour - original.firstHour) / 168;
    assert.ok(Number.isInteger(weeks) && weeks > 0);
    assert.ok(shifted.endHour >= toHour(noon) && shifted.endHour < toHour(noon) + 168);
    for (const hour of [0, 1, 500, 999]) {
      const { ts, ...readings } = original.hour(original.firstHour + hour)?.record ?? assert.fail();
      const { ts: shiftedTs, ...shiftedReadings } = shifted.hour(shifted.firstHour + hour)?.record ?? assert.fail();
      assert.deepEqual(shiftedReadings, readings);
      assert.equal(new Date(shiftedTs).getUTCDay(), new Date(ts).getUTCDay());
      assert.equal(shiftedTs.slice(10), ts.slice(10));
    }
    assert.notEqual(shifted.identity, original.identity);
    const { request } = fakeService({ source: shifted });
    const { meta, data } = await parseResponse(
      await request(systemState + range(noon - 24 * hourMs, noon + 24 * hourMs)),
    );
    const note = `Replayed by the sandbox from the file long.csv; its times are moved ${weeks} weeks later.`;
    assert.equal(meta['note'], note);
    assert.equal(data.length, 24, 'hours are published after they end');
    const health: unknown = await (await request('/healthz', { key: undefined })).json();
    assert.deepEqual(health, { status: 'ok', notices: [note] });
  });

  it('reports the replayed files at start', async () => {
    const replay = [
      await write('gap.csv', createFile('one column', 0, 3)),
      await write('rest.csv', createFile('one column', 5, 9)),
    ];
    const messages: string[] = [];
    const sandbox = await startSandbox({
      replay,
      shiftToNow: true,
      now: noon,
      report: sentence => messages.push(sentence),
    });
    await sandbox.close();
    assert.match(
      messages[0] ?? '',
      /^Replayed by the sandbox from the 2 files gap\.csv, rest\.csv; its times are moved 51 weeks/,
    );
    assert.match(messages[1] ?? '', /^In the files' own times: 2 hours are missing \(from 2022-06-23T01:00:00Z\)/);
    assert.equal(messages.length, 2);
    assert.ok((sandbox.dataEnd ?? Infinity) <= noon);
  });
});
