import assert from 'node:assert/strict';
import { DuckDBInstance } from '@duckdb/node-api';
import { isPublicHoliday } from '../../../../src/core/calendar/holidays.ts';
import { eskomTariffs, createTariffPeriodFinder } from '../../../../src/core/calendar/tariffPeriods.ts';
import { evaluateCondition } from '../../../../src/core/formula/deriveColumns.ts';
import { FormulaError, tariffConditions, type TariffConditionName } from '../../../../src/core/formula/formula.ts';
import { formatCalendarMacro, formatTariffCondition } from '../../../../src/core/snippets/calendarSql.ts';
import { formatSqlInstant } from '../../../../src/core/snippets/quote.ts';
import type { Tariff } from '../../../../src/shared/resampling.ts';
import { createFrame, timeColumn } from '../filter/columns.ts';

/** These tariffs have hours that begin within an hour, a day that is treated as another one, and a period to the end of the day. */
const customTariffs: readonly Tariff[] = [
  ...eskomTariffs.slice(1),
  {
    from: '2025-09-15',
    source: 'A city\nof its own',
    highDemand: { weekday: { peak: ['06:30-09:15'] }, saturday: {}, sunday: {} },
    lowDemand: {
      weekday: { peak: ['07:45-10:00', '23:00-24:00'], standard: ['00:00-04:30'] },
      saturday: {},
      sunday: {},
    },
    days: { '2025-12-24': 'sunday', '2025-12-25': 'weekday', '2025-12-27': 'weekday' },
  },
];

describe('holidays and tariff periods as SQL', () => {
  const ranges: readonly (readonly [start: string, end: string, tariffs: readonly Tariff[]])[] = [
    ['1994-12-30', '1995-02-01', eskomTariffs],
    ['2004-12-20', '2005-12-31', eskomTariffs],
    ['2024-05-25', '2026-01-05', eskomTariffs],
    ['2025-08-30', '2026-07-01', customTariffs],
  ];
  for (const [start, end, tariffs] of ranges)
    it(`matches the filters from ${start} to ${end}`, async () => {
      const database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
      try {
        const range = { start: Date.parse(start), end: Date.parse(end) };
        const context = { timeZone: 'UTC', locale: 'en', ...range, tariffs };
        for (const sql of formatCalendarMacro('is_public_holiday', context)) await database.run(sql);
        for (const sql of formatCalendarMacro('tariff_period', context)) await database.run(sql);
        const reader = await database.runAndReadAll(
          `SELECT epoch_ms(instant)::DOUBLE, is_public_holiday(instant), tariff_period(instant)
           FROM generate_series(${formatSqlInstant(range.start)}, ${formatSqlInstant(range.end)}, INTERVAL 15 minutes) AS t(instant)`,
        );
        const rows = reader.getRows();
        const periodAt = createTariffPeriodFinder(tariffs);
        assert.equal(rows.length, (range.end - range.start) / 900_000 + 1);
        for (const [ms, isHoliday, period] of rows)
          assert.deepEqual(
            [isHoliday, period],
            [isPublicHoliday(Number(ms)), periodAt(Number(ms)) ?? 'none'],
            new Date(Number(ms)).toISOString(),
          );
        // A condition of a formula is the same in SQL, for every period and the hours of other years.
        const instants = rows.map(([ms]) => Number(ms));
        const frame = createFrame(timeColumn('ts', [...instants, null]));
        for (const name of Object.keys(tariffConditions) as TariffConditionName[])
          for (const year of name === 'highdemand' ? [undefined] : [undefined, 2004, 2024, 2026]) {
            const condition = year === undefined ? name : `${name}(${year})`;
            const evaluated = evaluateCondition(frame, condition, 900_000, tariffs);
            const sql = await database.runAndReadAll(
              `SELECT ${formatTariffCondition({ name, year }, 'ts')}
               FROM (SELECT unnest([${[...instants.map(formatSqlInstant), 'NULL'].join()}]::TIMESTAMPTZ[]) AS ts)`,
            );
            const states = sql.getRows().map(([state]) => (state === null ? NaN : Number(state)));
            assert.deepEqual(states, evaluated instanceof FormulaError ? [] : [...evaluated.holds], condition);
          }
      } finally {
        database.closeSync();
      }
    });

  it('fails after the years with known holidays, instead of treating a holiday as a working day', async () => {
    const database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    try {
      const range = { start: Date.parse('2024-12-30'), end: Date.parse('2025-01-02') };
      for (const macro of ['is_public_holiday', 'tariff_period'] as const) {
        for (const sql of formatCalendarMacro(macro, { timeZone: 'UTC', locale: 'en', ...range }))
          await database.run(sql);
        const evaluateAt = (ms: number) => database.run(`SELECT ${macro}(${formatSqlInstant(ms)})`);
        await evaluateAt(Date.parse('2026-12-31T21:59Z'));
        await assert.rejects(
          evaluateAt(Date.parse('2026-12-31T22:00Z')),
          /Holidays are listed through 2026\. Generate this query again\./,
        );
      }
    } finally {
      database.closeSync();
    }
  });
});
