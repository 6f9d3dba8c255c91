import assert from 'node:assert/strict';
import type { TimeColumn } from '../../../../src/shared/frame.ts';
import { createGridColumns } from '../../../../src/presentation/columns/createGridColumns.ts';
import { formatCopy, listCopiedColumns } from '../../../../src/webview/result/copyText.ts';

const hour = 3_600_000;
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

describe('listCopiedColumns', () => {
  const values = Float64Array.from([0, 1, 2], index => Date.UTC(2023, 4, 1) + index * hour);
  const time: TimeColumn = { kind: 'time', name: 'ts', path: ['ts'], values };
  const frame = { rowCount: 3, columns: [time] };

  it('copies the end of the interval when it is shown', () => {
    const columns = createGridColumns(frame, 'en', sast, hour, { intervalEnd: true });
    const rows = Uint32Array.of(2, 0);
    const copied = listCopiedColumns(columns, name => frame.columns.find(column => column.name === name), rows);
    assert.deepEqual(formatCopy({ columns: copied, rows, zone: sast }, 'tsv', true).split('\n'), [
      'ts (SAST)\tts_until (SAST)',
      '2023-05-01T04:00:00+02:00\t2023-05-01T05:00:00+02:00',
      '2023-05-01T02:00:00+02:00\t2023-05-01T03:00:00+02:00',
    ]);
  });
});
