import assert from 'node:assert/strict';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { GridRecord } from '../../../../src/core/frame/records.ts';
import { formatRevisions } from '../../../../src/core/revisions/formatRevisions.ts';

const formatOptions = { time: formatInstant, withdrawn: 'withdrawn', noValue: 'no value', more: '… and more.' };
const three = '2023-05-01T03:00:00Z';
const five = '2023-05-01T05:00:00Z';

function formatTexts(oldRecords: readonly GridRecord[], newRecords: readonly GridRecord[]): string[] {
  const frames = { before: recordsToFrame(oldRecords), after: recordsToFrame(newRecords) };
  const formatted = formatRevisions(frames, formatOptions);
  return [formatted.before, formatted.after];
}

describe('formatRevisions', () => {
  it('writes a line for each changed field only', () => {
    const [oldText, newText] = formatTexts(
      [{ ts: three, wind_mw: 1.5, pv_mw: 7 }],
      [{ ts: three, wind_mw: 2.25, pv_mw: 7 }],
    );
    assert.equal(oldText, `${three}\n  wind_mw: 1.5\n`);
    assert.equal(newText, `${three}\n  wind_mw: 2.25\n`);
  });

  it('reports a withdrawn row with its former values', () => {
    const [oldText, newText] = formatTexts([{ ts: five, wind_mw: 1.5 }], []);
    assert.deepEqual([oldText, newText], [`${five}\n  wind_mw: 1.5\n`, `${five}\n  withdrawn\n`]);
  });

  it('distinguishes a null, a removed field and a text from a number', () => {
    const [oldText, newText] = formatTexts(
      [{ ts: three, a: 1, b: null, c: 2 }],
      [{ ts: three, a: null, b: 3, c: '2' }],
    );
    assert.equal(oldText, `${three}\n  a: 1\n  b: no value\n  c: 2\n`);
    assert.equal(newText, `${three}\n  a: no value\n  b: 3\n  c: "2"\n`);
  });

  it('writes a hostile name and a long text on one line', () => {
    const [oldText = ''] = formatTexts(
      [{ ts: three, 'a\n[x](command:y)\u202e': 'x'.repeat(5000) }],
      [{ ts: three, 'a\n[x](command:y)\u202e': 'y' }],
    );
    const lines = oldText.split('\n');
    assert.equal(lines.length, 3);
    assert.ok(lines[1]?.startsWith('  a [x] (command:y): "xxx') && lines[1].length < 400);
  });

  it('distinguishes long texts that differ in the middle, and texts that look alike', () => {
    const createLongText = (middle: string) => `${'x'.repeat(2000)}${middle}${'y'.repeat(2000)}`;
    const getSecondLine = (text = '') => text.split('\n')[1];
    const [was, is] = formatTexts([{ ts: three, a: createLongText('old') }], [{ ts: three, a: createLongText('new') }]);
    assert.equal(getSecondLine(was), `  a: …${'x'.repeat(50)}old${'y'.repeat(247)}…`);
    assert.equal(getSecondLine(is), `  a: …${'x'.repeat(50)}new${'y'.repeat(247)}…`);
    assert.deepEqual(formatTexts([{ ts: three, a: 'coal' }], [{ ts: three, a: 'co\u202eal' }]).map(getSecondLine), [
      '  a: "coal"',
      '  a: "co\\u{202e}al"',
    ]);
    assert.deepEqual(formatTexts([{ ts: three, a: 'a b' }], [{ ts: three, a: 'a  b' }]).map(getSecondLine), [
      '  a: "a b"',
      '  a: "a\\u{20}\\u{20}b"',
    ]);
  });

  it('truncates a very long list of changes', () => {
    const createRows = (value: number): GridRecord[] =>
      Array.from({ length: 1000 }, (_, index) => ({
        ts: formatInstant(index * 3_600_000),
        ...Object.fromEntries(Array.from({ length: 10 }, (_field, field) => [`f${field}`, value])),
      }));
    const [oldText = ''] = formatTexts(createRows(1), createRows(2));
    assert.ok(oldText.endsWith('… and more.\n'));
    assert.ok(oldText.split('\n').length < 5100);
  });

  it('matches the columns once per frame', () => {
    const createRows = (value: number): GridRecord[] =>
      Array.from({ length: 400 }, (_, index) => ({
        ts: formatInstant(index * 3_600_000),
        ...Object.fromEntries(Array.from({ length: 40 }, (_field, field) => [`f${field}`, field === 0 ? value : 0])),
      }));
    let reads = 0;
    const counted = (frame: Frame): Frame => ({
      ...frame,
      columns: frame.columns.map(column => ({
        ...column,
        get path() {
          reads += 1;
          return column.path;
        },
      })),
    });
    formatRevisions(
      { before: counted(recordsToFrame(createRows(1))), after: counted(recordsToFrame(createRows(2))) },
      formatOptions,
    );
    assert.ok(reads > 0 && reads < 200, `${reads} reads of a way`);
  });
});
