import assert from 'node:assert/strict';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import type { GridRecord } from '../../../../src/core/frame/records.ts';
import { formatRevisions } from '../../../../src/core/revisions/formatRevisions.ts';

const words = { time: formatInstant, withdrawn: 'withdrawn', noValue: 'no value', more: '… and more.' };
const three = '2023-05-01T03:00:00Z';
const five = '2023-05-01T05:00:00Z';

function texts(before: readonly GridRecord[], after: readonly GridRecord[]): string[] {
  const frames = { before: frameOf(before), after: frameOf(after) };
  const said = formatRevisions(frames, words);
  return [said.before, said.after];
}

describe('revisionTexts', () => {
  it('writes a line for each changed field, and no other', () => {
    const [before, after] = texts([{ ts: three, wind_mw: 1.5, pv_mw: 7 }], [{ ts: three, wind_mw: 2.25, pv_mw: 7 }]);
    assert.equal(before, `${three}\n  wind_mw: 1.5\n`);
    assert.equal(after, `${three}\n  wind_mw: 2.25\n`);
  });

  it('reports a withdrawn row with its former values', () => {
    const [before, after] = texts([{ ts: five, wind_mw: 1.5 }], []);
    assert.deepEqual([before, after], [`${five}\n  wind_mw: 1.5\n`, `${five}\n  withdrawn\n`]);
  });

  it('distinguishes a null, a removed field and a text from a number', () => {
    const [before, after] = texts([{ ts: three, a: 1, b: null, c: 2 }], [{ ts: three, a: null, b: 3, c: '2' }]);
    assert.equal(before, `${three}\n  a: 1\n  b: no value\n  c: 2\n`);
    assert.equal(after, `${three}\n  a: no value\n  b: 3\n  c: "2"\n`);
  });

  it('keeps a hostile name and a long text on one line', () => {
    const [before = ''] = texts(
      [{ ts: three, 'a\n[x](command:y)\u202e': 'x'.repeat(5000) }],
      [{ ts: three, 'a\n[x](command:y)\u202e': 'y' }],
    );
    const lines = before.split('\n');
    assert.equal(lines.length, 3);
    assert.ok(lines[1]?.startsWith('  a [x] (command:y): "xxx') && lines[1].length < 400);
  });

  it('tells apart long texts that differ in their middle, and texts that look alike', () => {
    const long = (middle: string) => `${'x'.repeat(2000)}${middle}${'y'.repeat(2000)}`;
    const lineOf = (text = '') => text.split('\n')[1];
    const [was, is] = texts([{ ts: three, a: long('old') }], [{ ts: three, a: long('new') }]);
    assert.equal(lineOf(was), `  a: …${'x'.repeat(50)}old${'y'.repeat(247)}…`);
    assert.equal(lineOf(is), `  a: …${'x'.repeat(50)}new${'y'.repeat(247)}…`);
    assert.deepEqual(texts([{ ts: three, a: 'coal' }], [{ ts: three, a: 'co\u202eal' }]).map(lineOf), [
      '  a: "coal"',
      '  a: "co\\u{202e}al"',
    ]);
    assert.deepEqual(texts([{ ts: three, a: 'a b' }], [{ ts: three, a: 'a  b' }]).map(lineOf), [
      '  a: "a b"',
      '  a: "a\\u{20}\\u{20}b"',
    ]);
  });

  it('cuts a very long list of changes', () => {
    const rows = (value: number): GridRecord[] =>
      Array.from({ length: 1000 }, (_, at) => ({
        ts: formatInstant(at * 3_600_000),
        ...Object.fromEntries(Array.from({ length: 10 }, (_field, field) => [`f${field}`, value])),
      }));
    const [before = ''] = texts(rows(1), rows(2));
    assert.ok(before.endsWith('… and more.\n'));
    assert.ok(before.split('\n').length < 5100);
  });

  it('matches the columns once per frame', () => {
    const rows = (value: number): GridRecord[] =>
      Array.from({ length: 400 }, (_, at) => ({
        ts: formatInstant(at * 3_600_000),
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
    formatRevisions({ before: counted(frameOf(rows(1))), after: counted(frameOf(rows(2))) }, words);
    assert.ok(reads > 0 && reads < 200, `${reads} reads of a way`);
  });
});
