import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { formatCopy } from '../../../../src/webview/result/copyText.ts';
import { analyze } from '../../../../src/core/analysis/analyze.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import { escapeExpectedText } from '../../../support/escapeExpectedText.ts';
import { booleanColumn, createFrame, numberColumn, textColumn, timeColumn } from '../../core/filter/columns.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

interface Hour {
  readonly ts: number;
  readonly mw: number | null | undefined;
  readonly kind: string | null;
  readonly on: boolean;
}

type Condition = readonly [text: string, isMet: (hour: Hour) => boolean];

const hourMs = 3_600_000;
const start = Date.UTC(2023, 4, 3);
const anyText = fc.string({
  unit: fc.constantFrom('a', 'A', 'z', 'é', '=', '+', '-', '@', ',', '"', '\t', '\n', '\r', ' ', '|', '1', '0'),
});
const mw = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -5, max: 5 }));
const hour: fc.Arbitrary<Hour> = fc.record({
  ts: fc.integer({ min: 0, max: 100 }).map(hours => start + hours * hourMs),
  mw: fc.oneof({ weight: 6, arbitrary: mw }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) }),
  kind: fc.option(anyText, { freq: 6 }),
  on: fc.boolean(),
});

/** Generates a filter text and the equivalent comparison. */
const numberCondition: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom('>', '>=', '<', '<=', '=', '!='), mw, mw)
  .chain(([operator, limit, otherLimit]) => {
    const from = Math.min(limit, otherLimit);
    const to = Math.max(limit, otherLimit);
    const isMet = (value: number): boolean => {
      if (operator === '>') return value > limit;
      if (operator === '>=') return value >= limit;
      if (operator === '<') return value < limit;
      if (operator === '<=') return value <= limit;
      return operator === '=' ? value === limit : value !== limit;
    };
    return fc.constantFrom<Condition>(
      [`${operator}${limit}`, ({ mw: value }) => value != null && isMet(value)],
      [`${from}..${to}`, ({ mw: value }) => value != null && value >= from && value <= to],
      ['null', ({ mw: value }) => value == null],
      [`null or ${operator}${limit}`, ({ mw: value }) => value == null || isMet(value)],
    );
  });
const textCondition = fc.constantFrom<Condition>(
  ['A', ({ kind }) => kind !== null && /a/i.test(kind)],
  ['!a', ({ kind }) => kind !== null && !/a/i.test(kind)],
  ['e', ({ kind }) => kind !== null && /é/i.test(kind)],
  ['""', ({ kind }) => kind === ''],
);
const timeCondition = fc.integer({ min: 0, max: 4 }).map((day): Condition => {
  const noon = start + day * 24 * hourMs + 12 * hourMs;
  return [`>=${new Date(noon).toISOString().slice(0, 16).replace('T', ' ')}`, ({ ts }) => ts >= noon];
});
const sort = fc.uniqueArray(
  fc.record({ column: fc.constantFrom<keyof Hour>('ts', 'mw', 'kind', 'on'), descending: fc.boolean() }),
  { selector: ({ column }) => column, maxLength: 4 },
);

const copyRequest = fc.record({
  hours: fc.array(hour, { maxLength: 40 }),
  filters: fc.record({
    mw: fc.option(numberCondition, { freq: 1 }),
    kind: fc.option(textCondition, { freq: 1 }),
    ts: fc.option(timeCondition, { freq: 1 }),
  }),
  sort,
  zone: fc.constantFrom('UTC', 'Africa/Johannesburg', 'America/St_Johns'),
});

describe('copying the visible cells', () => {
  it('copies the rows and values that an independent model expects', () => {
    fc.assert(
      fc.property(copyRequest, ({ hours, filters, sort: keys, zone }) => {
        const conditions = Object.values(filters).filter(condition => condition !== null);
        const expected = hours
          .filter(candidate => conditions.every(([, isMet]) => isMet(candidate)))
          .sort((a, b) =>
            keys.reduce((result, { column, descending }) => result || compare(a[column], b[column], descending), 0),
          );

        const columns = [
          ...[
            timeColumn(
              'ts',
              hours.map(({ ts }) => ts),
            ),
            numberColumn(
              'mw',
              hours.map(({ mw: value }) => value),
            ),
          ],
          ...[
            textColumn(
              'kind',
              hours.map(({ kind }) => kind),
            ),
            booleanColumn(
              'on',
              hours.map(({ on }) => on),
            ),
          ],
        ];
        const frame = createFrame(...columns);
        const filterTexts = Object.fromEntries(
          Object.entries(filters).flatMap(([name, condition]) => (condition ? [[name, condition[0]]] : [])),
        );
        // Filters use UTC times, whatever the time zone of the copy.
        const tableState = { frame, interval: '1h', intervalMs: hourMs, start, coverage: undefined, zone: utc };
        const { order } = analyze(
          tableState,
          { sort: keys, where: filterTexts },
          { locale: 'en', translate: text => text },
        );
        const rows = order ?? Uint32Array.from(hours.keys());
        const range = { columns, rows, zone: { timeZone: zone, label: zone } };

        const expectedCells = expected.map(({ ts, mw: value, kind, on }) => [
          ts,
          value,
          escapeExpectedText(kind ?? ''),
          String(on),
        ]);
        const tsv = readBack(formatCopy(range, 'tsv', true), '\t', '\n');
        assert.deepEqual(tsv[0], [`ts (${zone})`, 'mw', 'kind', 'on']);
        assert.deepEqual(tsv.slice(1).map(parseCells), expectedCells.map(replaceNull));
        const csv = readBack(formatCopy(range, 'csv', false), ',', '\r\n');
        assert.deepEqual(csv.map(parseCells), expectedCells.map(replaceNull));
        const records = JSON.parse(formatCopy(range, 'json', true)) as Record<string, unknown>[];
        assert.deepEqual(
          records.map(({ ts, ...others }) => ({ ts: Date.parse(ts as string), ...others })),
          expected.map(({ mw: value, ...others }) => ({ ...others, ...(value !== undefined && { mw: value }) })),
        );
      }),
      { numRuns: scaleRunCount(400) },
    );
  });

  it('copies every number with all its digits', () => {
    const bits = fc
      .bigInt(0n, 2n ** 64n - 1n)
      .map(value => new Float64Array(BigUint64Array.of(value).buffer)[0] ?? NaN);
    const finite = fc
      .oneof(bits, fc.double(), fc.constantFrom(-0, 0, 5e-324, 2 ** 53 + 2, 0.1 + 0.2))
      .filter(Number.isFinite);
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), numbers => {
        const range = {
          columns: [numberColumn('n', numbers)],
          rows: Array.from(numbers.keys()),
          zone: { timeZone: 'UTC', label: '' },
        };
        const assertSame = (texts: readonly string[]): void => {
          assert.equal(texts.length, numbers.length);
          texts.forEach((text, row) =>
            assert.ok(Object.is(Number(text), numbers[row]), `${text} is not ${numbers[row] ?? ''}`),
          );
        };
        assertSame(formatCopy(range, 'tsv', false).split('\n'));
        assertSame(readBack(formatCopy(range, 'csv', false), ',', '\r\n').flat());
        const parsed = JSON.parse(formatCopy(range, 'json', false)) as { n: number }[];
        parsed.forEach(({ n }, row) => assert.ok(Object.is(n, numbers[row])));
      }),
    );
  });
});

function readBack(text: string, delimiter: string, lineEnd: string): string[][] {
  return text === '' ? [] : parse(text, { delimiter, record_delimiter: lineEnd, relax_column_count: false });
}

function parseCells([ts = '', value = '', ...others]: string[]): unknown[] {
  return [Date.parse(ts), value === '' ? undefined : Number(value), ...others];
}

function replaceNull([ts, value, ...others]: readonly unknown[]): unknown[] {
  return [ts, value ?? undefined, ...others];
}

function compare(a: Hour[keyof Hour], b: Hour[keyof Hour], descending: boolean): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  const result =
    typeof a === 'string' ? a.localeCompare(String(b), 'en', { numeric: true }) : a < b ? -1 : a > b ? 1 : 0;
  return descending ? -result : result;
}
