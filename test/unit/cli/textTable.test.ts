import assert from 'node:assert/strict';
import { formatTextTable } from '../../../src/cli/textTable.ts';
import { cellState, type Frame } from '../../../src/shared/frame.ts';
import { power } from '../../../src/shared/units.ts';

describe('the text table of the command line', () => {
  const start = Date.UTC(2026, 10, 16, 22);
  const frame: Frame = {
    rowCount: 3,
    columns: [
      { kind: 'time', name: 'ts', path: ['ts'], values: Float64Array.of(start, start + 3_600_000, start + 7_200_000) },
      {
        kind: 'number',
        name: 'wind_mw',
        path: ['wind_mw'],
        field: { label: 'Wind', meaning: '', unit: power },
        values: Float64Array.of(0, NaN, 1 / 3),
        gaps: Uint8Array.of(cellState.value, cellState.null, cellState.value),
      },
      {
        kind: 'text',
        name: 'note',
        path: ['note'],
        texts: { codes: Uint32Array.of(0, 1, 0), entries: ['\u001b[31mred\u0007', 'x'.repeat(100)] },
        gaps: Uint8Array.of(cellState.value, cellState.value, cellState.absent),
      },
    ],
  };

  it('aligns numbers to the right, and writes times with the offset of the zone', () => {
    const numbers = { ...frame, columns: frame.columns.slice(0, 2) };
    assert.equal(
      formatTextTable(numbers, 'Africa/Johannesburg'),
      `ts                          wind_mw MW
2026-11-17T00:00:00+02:00            0
2026-11-17T01:00:00+02:00         null
2026-11-17T02:00:00+02:00  0.333333333
`,
    );
  });

  it('removes control characters, which a terminal would obey, and shortens long texts', () => {
    const lines = formatTextTable(frame, 'UTC').split('\n');
    assert.ok(!/\p{Cc}/u.test(lines.join('')));
    assert.match(lines[1] ?? '', /\[31mred$/);
    assert.match(lines[2] ?? '', / x{39}…$/);
    assert.match(lines[3] ?? '', / 0\.333333333$/);
  });
});
