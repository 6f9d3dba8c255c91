import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { decode } from '../../../../src/core/decode/decode.ts';
import { describeFields } from '../../../../src/core/frame/describeFields.ts';
import { clipFrame } from '../../../../src/core/frame/clip.ts';
import { createRequestParameters } from '../../../../src/core/query/query.ts';
import { getCycleNames } from '../../../../src/core/bins/cycleNames.ts';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { deriveColumns } from '../../../../src/core/formula/deriveColumns.ts';
import { dataSnippets } from '../../../../src/core/snippets/dataSnippets.ts';
import {
  translateTransformations,
  describeMemberTransformations,
  translateViewTransformations,
  type PanelTransformations,
} from '../../../../src/core/snippets/panelTransformations.ts';
import { querySnippets, queryLanguages, type QueryLanguage } from '../../../../src/core/snippets/querySnippets.ts';
import { gridStressFields, systemStateFields } from '../../../../src/shared/fields.ts';
import type { Column, Frame } from '../../../../src/shared/frame.ts';
import type { DerivedColumn } from '../../../../src/shared/derivedColumns.ts';
import { binSizes, cycles, isCycle, type Resampling } from '../../../../src/shared/resampling.ts';
import { inferUnit, power } from '../../../../src/shared/units.ts';
import { booleanColumn, createFrame, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';
import { formatFormula, arbitraryFormulas, arbitraryRows } from '../formula/formulaModel.ts';
import { analyzeRows, assertSameRows, readRows, context, computeRowsInSql, type Cell } from './panelRows.ts';
import { jsonExpressions, programRows, runAndParseRows } from './programRows.ts';
import { createSnippetQuery } from './questions.ts';
import { startSnippetService } from './snippetService.ts';
import { has, python } from './tools.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const hourMs = 3_600_000;
const languagesWithTransformations = ['python', 'typeScript'] as const satisfies readonly QueryLanguage[];
const hasTransformations = (language: QueryLanguage): boolean =>
  languagesWithTransformations.some(candidate => candidate === language);

/** Creates three weeks of hours with nulls, absent numbers and missing hours. They include a clock change and the end of a month. */
function createHours(): Frame {
  const instants = Array.from({ length: 24 * 21 }, (_, hour) => Date.parse('2023-10-20T05:00Z') + hour * hourMs).filter(
    (_, hour) => hour % 50 !== 7 && !(hour >= 100 && hour < 130),
  );
  const createCells = (value: (hour: number) => number) =>
    instants.map((_, hour) => (hour % 17 === 3 ? null : hour % 29 === 5 ? undefined : value(hour)));
  const createDescribedColumn = (
    name: string,
    fields: typeof systemStateFields,
    value: (hour: number) => number,
  ): Column => {
    const field = fields.get(name);
    return { ...numberColumn(name, createCells(value)), ...(field && { field }) };
  };
  return createFrame(
    timeColumn('ts', instants),
    createDescribedColumn('wind_mw', systemStateFields, hour => 1000.25 + ((hour * 37) % 500)),
    createDescribedColumn('pv_mw', systemStateFields, hour => Math.max(0, ((hour * 91) % 700) - 200)),
    createDescribedColumn('total_re_mw', systemStateFields, hour => 2000 + ((hour * 13) % 900)),
    createDescribedColumn('renewable_share_pct', systemStateFields, hour =>
      hour % 97 === 0 ? 0 : 5 + ((hour * 7) % 30),
    ),
    createDescribedColumn('value', gridStressFields, hour => ((hour * 53) % 100) / 100),
  );
}

const columns: readonly DerivedColumn[] = [
  { name: 'both_mw', formula: 'wind_mw + pv_mw' },
  { name: 'day "mean"', formula: 'mean(both_mw, 24h)' },
  {
    name: 'calm',
    formula: 'if(wind_mw < 1200 MW and not pv_mw > 0 MW, lag(wind_mw, 24h), min(wind_mw, max(pv_mw, 100 MW)))',
  },
  { name: 'of_all', formula: 'share(wind_mw, total)' },
  // The parts are often 0, and the total is sometimes 0.
  { name: 'of both', formula: 'share(pv_mw, if(wind_mw > 1400 MW, 0 MW, both_mw + min(pv_mw, 100 MW)))' },
  { name: 'energy', formula: 'sum(wind_mw, 7d) / 7' },
  // Each row is counted once in windows with gaps.
  { name: 'steady', formula: 'if(value > 0.4, 2 * mean(value, 6h), 0) + value / mean(value, 24h)' },
  { name: 'of_day', formula: 'share(mean(wind_mw, 24h), total)' },
  { name: 'cost', formula: 'both_mw * 5500 R/MWh' },
  { name: 'cost of wind', formula: '(cost + 50 c) / (wind_mw - 1200 MW)' },
  { name: 'tariff', formula: 'value * 1 c/kWh' },
];

function createResampling(frame: Frame, by: Resampling['by'], timeZone: string): Resampling {
  const time = frame.columns[0];
  assert.ok(time?.kind === 'time');
  const start = time.values[0] ?? NaN;
  const end = (time.values.at(-1) ?? NaN) + 5 * hourMs;
  const names = isCycle(by) ? getCycleNames(by, context.locale, context.translate) : [];
  return { by, timeZone, label: timeZone, start, end, intervalMs: hourMs, names };
}

/** Computes the rows that the page displays: derives the columns, then resamples. */
function computePageRows(frame: Frame, resampling?: Resampling): Record<string, Cell>[] {
  const { frame: derivedFrame, errors } = deriveColumns(frame, { columns, intervalMs: hourMs });
  assert.deepEqual([...errors.keys()], []);
  return readRows(resampling ? resampleFrame(derivedFrame, resampling) : derivedFrame);
}

/** Creates hours that also have a text, a boolean and a JSON column. In every 31st row, these three are null. */
function createHoursOfAllKinds(): Frame {
  const frame = createHours();
  const cells = Array.from({ length: frame.rowCount }, (_, hour) => (hour % 31 === 4 ? null : hour));
  const status = [
    'Normal',
    'normál',
    'STAGE 2',
    'stage 010',
    'Stage 9.10',
    'stage 9.9',
    "it's, so",
    'Zoë',
    'Zoe\u0308',
    '',
  ];
  return createFrame(
    ...frame.columns,
    textColumn(
      'status',
      cells.map(hour => (hour === null ? null : (status[hour % status.length] ?? null))),
    ),
    booleanColumn(
      'is "shed"',
      cells.map(hour => (hour === null ? null : hour % 3 === 0)),
    ),
    {
      ...textColumn(
        'parts',
        cells.map(hour => (hour === null ? null : `[${hour}]`)),
      ),
      kind: 'nested',
    },
  );
}

const localRange = { start: Date.parse('2023-10-20T05:00Z'), end: Date.parse('2023-11-10T05:00Z') };
const utcOptions = { timeZone: 'UTC', locale: 'en', ...localRange };

function createTransformations(frame: Frame, resampling?: Resampling): PanelTransformations {
  const derivation = { columns, intervalMs: hourMs };
  return (
    translateTransformations(frame, { derivation, ...(resampling && { resampling }) }, utcOptions) ?? assert.fail()
  );
}

describe('the transformations of a panel, as SQL', () => {
  let database: DuckDBConnection;
  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await database.run("SET TimeZone = 'UTC'");
  });
  after(() => database.closeSync());

  it('derives the same columns as the page', async () => {
    const frame = createHours();
    assertSameRows(
      await computeRowsInSql(database, frame, createTransformations(frame)),
      computePageRows(frame),
      'derived',
    );
  });

  it('derives, filters and resamples like the page for any formula and any missing values', async () => {
    const bins = fc.constantFrom(undefined, undefined, ...binSizes, ...cycles);
    // The units are power, none, a share, money and a rate, which have different figures.
    const units = fc.constantFrom(
      '{0}',
      '{0} / 1 MW',
      'share({0}, a_mw + 50 MW)',
      'if({0} > 5 MW, a_mw, b_mw) * 12 c/kWh',
      'if({0} > 5 MW, 3 R, 4 R) / b_mw',
      'if(peak or offpeak(2026) and not highdemand, {0}, if(standard(1999), 1 MW, meter_kw * 2))',
      'meter_kw * if(standard, 100 c/kWh, 2 R/kWh) + if(peak(2026), 1 R, 0)',
    );
    const filterTexts = fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { ts: '!22:00-03:00' },
      { a_mw: '>0 or null' },
      { derived: '!null', flag: '!true' },
    );
    const arbitraries = [arbitraryFormulas, units, arbitraryRows, bins, filterTexts] as const;
    const property = fc.asyncProperty(...arbitraries, async (formulaTree, unit, formulaRows, by, filters) => {
      const formula = unit.replace('{0}', () => formatFormula(formulaTree));
      fc.pre(formula.length <= 400);
      const intervals = [...new Set(formulaRows.flatMap(({ interval }) => interval ?? []))].sort((a, b) => a - b);
      fc.pre(intervals.length > 0);
      const rows = intervals.flatMap(interval => formulaRows.find(row => row.interval === interval) ?? []);
      const readCells = (name: keyof (typeof rows)[number]['cells']) => rows.map(row => row.cells[name]);
      const frame = createFrame(
        timeColumn(
          'ts',
          intervals.map(interval => Date.parse('2023-03-25T20:00Z') + interval * hourMs),
        ),
        numberColumn('a_mw', readCells('a_mw'), power),
        numberColumn('b_mw', readCells('b_mw'), power),
        numberColumn('odd "name"', readCells('odd "name"')),
        booleanColumn('flag', readCells('flag')),
        numberColumn('meter_kw', readCells('b_mw'), inferUnit('meter_kw')),
      );
      const derived = [{ name: 'derived', formula }];
      const timeZone = 'Europe/Berlin';
      const resampling = by && createResampling(frame, by, timeZone);
      const tableOptions = { filters, sort: [], ...(resampling && { resampling }) };
      const context = { timeZone, locale: 'en', ...localRange };
      const sqlRows =
        translateTransformations(
          frame,
          { derivation: { columns: derived, intervalMs: hourMs }, ...tableOptions },
          context,
        ) ?? assert.fail();
      const description = JSON.stringify([formula, by, filters]);
      assertSameRows(
        await computeRowsInSql(database, frame, sqlRows),
        analyzeRows(frame, tableOptions, timeZone, derived),
        description,
      );
    });
    await fc.assert(property, { numRuns: scaleRunCount(60) });
  });

  for (const by of [...binSizes, ...cycles])
    it(`resamples by ${by} like the page`, async () => {
      const frame = createHours();
      for (const zone of ['Africa/Johannesburg', 'Europe/Berlin']) {
        const resampling = createResampling(frame, by, zone);
        const sqlRows = await computeRowsInSql(database, frame, createTransformations(frame, resampling));
        assertSameRows(sqlRows, computePageRows(frame, resampling), `${by} of ${zone}`);
      }
    });

  it('resamples rows of other lengths by their start, even if it is not a full UTC hour', async () => {
    const minuteMs = 60_000;
    const dayMs = 24 * hourMs;
    const rowStarts = {
      SAST: '2023-02-05T22:00Z',
      Kathmandu: '2023-02-05T18:15Z',
      monday: '2023-02-06T00:00Z',
    } as const;
    const cases = [
      [15 * minuteMs, rowStarts.Kathmandu, 'day', 'Africa/Johannesburg'],
      [hourMs, rowStarts.Kathmandu, 'day', 'Asia/Kathmandu'],
      [3 * hourMs, rowStarts.SAST, 'week', 'Africa/Johannesburg'],
      [7 * hourMs, rowStarts.SAST, 'month', 'Africa/Johannesburg'],
      [dayMs, rowStarts.SAST, 'weekday', 'Africa/Johannesburg'],
      [7 * dayMs, rowStarts.monday, 'quarter', 'UTC'],
    ] as const;
    for (const [intervalMs, firstStart, by, timeZone] of cases) {
      const instants = Array.from(
        { length: 90 },
        (_, interval) => Date.parse(firstStart) + interval * intervalMs,
      ).filter((_, index) => index % 7 !== 3);
      const time = timeColumn('ts', instants);
      const values = instants.map((_, row) => (row % 11 === 5 ? null : 1000.25 + ((row * 37) % 500)));
      const frame = createFrame(time, numberColumn('wind_mw', values, power));
      const resampling = {
        ...createResampling(frame, by, timeZone),
        intervalMs,
        end: (instants.at(-1) ?? NaN) + intervalMs,
      };
      const transformations = translateTransformations(frame, { resampling }, utcOptions) ?? assert.fail();
      const description = `${intervalMs / hourMs} h by ${by}`;
      assertSameRows(
        await computeRowsInSql(database, frame, transformations),
        readRows(resampleFrame(frame, resampling)),
        description,
      );
    }
  });

  it('uses the intervals of the received rows for a relative range', async () => {
    const frame = createHours();
    const resampling = createResampling(frame, 'hourOfDay', 'UTC');
    const moving = translateTransformations(frame, { resampling }, utcOptions, true) ?? assert.fail();
    const sqlRows = await computeRowsInSql(database, frame, moving);
    const expected = resampleFrame(frame, { ...resampling, end: resampling.end - 4 * hourMs });
    assertSameRows(sqlRows, readRows(expected), 'moving');
  });

  const typedFilters: readonly Readonly<Record<string, string>>[] = [
    { wind_mw: '>1200.25' },
    { wind_mw: '!1037.25' },
    { pv_mw: '100..<200, 0' },
    { pv_mw: '..12 or null' },
    { pv_mw: '!=0, !null' },
    { 'day "mean"': '>=1300 or <1250', value: '0.3..0.6' },
    { ts: '06:00-18:00' },
    { ts: '22:30-06:00 Mon-Fri' },
    { ts: 'weekend or Fri-Mon 02:00' },
    { ts: '!weekend, !17:00-20:00' },
    { ts: 'Oct' },
    { ts: 'spring' },
    { ts: 'summer' },
    { ts: '>=2023-10-29', wind_mw: '<=1300' },
    { ts: '2023-10-28..2023-10-30 or >2023-11-08 12:00' },
    { ts: '2023-10-29 02:00' },
    { ts: '!2023-10' },
    { status: 'normal' },
    { status: '!normal, !stage' },
    { status: '=Normal' },
    { status: '"it\'s, so" or ""' },
    { status: '=Zo\u00eb' },
    { status: '!null', 'is "shed"': 'true' },
    { 'is "shed"': '!true' },
    { 'is "shed"': 'null or false', parts: 'null' },
    { ts: 'holiday' },
    { ts: '!holiday 06:00-18:00', pv_mw: '>0' },
    { ts: 'peak or off-peak Sun' },
    { ts: '!peak, !holiday' },
    { ts: 'Oct 2023 Mon-Fri !holiday !peak' },
    { ts: '!peak !weekend, !holiday' },
    { ts: '>=2023-10-25 weekday 06:00-18:00 or 8' },
    { ts: 'standard' },
  ];

  it('filters, resamples and sorts like the table', async () => {
    // One of the two bins is tested for each filter, unless all cases are tested.
    const listBins = (index: number) => {
      const bin = (['day', 'month', 'hourOfDay', 'weekday'] as const)[(index >> 1) % 4];
      return (index % 2 === 0 ? [undefined, bin] : [bin, undefined]).slice(0, scaleRunCount(2));
    };
    const frame = createHoursOfAllKinds();
    const timeZone = 'Europe/Berlin';
    const derived = [columns[0], columns[1], columns[4]].flatMap(column => column ?? []);
    for (const [index, filters] of typedFilters.entries())
      for (const by of listBins(index)) {
        const twoKeys = [
          { column: 'is "shed"', descending: false },
          { column: 'of both', descending: index % 2 === 0 },
        ];
        const time = { column: by === 'day' ? 'day' : 'ts', descending: true };
        const text = { column: by ? 'hour_of_day' : 'status', descending: index % 2 === 0 };
        const sorts = [[], [{ column: 'pv_mw', descending: true }], twoKeys, [time], [text]];
        const sort = sorts[(index + (index >> 2)) % 5] ?? [];
        const resampling = by && createResampling(frame, by, timeZone);
        const tableOptions = { filters, sort, ...(resampling && { resampling }) };
        const derivation = { columns: derived, intervalMs: hourMs };
        const transformations =
          translateTransformations(frame, { derivation, ...tableOptions }, { timeZone, locale: 'en', ...localRange }) ??
          assert.fail();
        const description = JSON.stringify([filters, sort, by]);
        assert.deepEqual(transformations.notApplied, [], description);
        assertSameRows(
          await computeRowsInSql(database, frame, transformations),
          analyzeRows(frame, tableOptions, timeZone, derived),
          description,
        );
      }
  });

  it('lists what it does not apply: filters and sort keys of JSON columns, and resampling of rows that are not filtered', () => {
    const frame = createHoursOfAllKinds();
    const filters = { parts: '2\n', wind_mw: '>5', pv_mw: '5..1', other: '1', value: ' ' };
    const sort = [
      { column: 'ts', descending: true },
      { column: 'parts', descending: false },
    ];
    const filtered = translateTransformations(frame, { filters, sort }, utcOptions);
    assert.deepEqual(filtered?.sql, ['CREATE OR REPLACE TEMP TABLE grid AS FROM grid WHERE ("wind_mw"::DOUBLE > 5)']);
    assert.deepEqual(filtered.applied, ['only rows where wind_mw is >5']);
    assert.deepEqual(filtered.notApplied, ['only rows where parts is 2\n', 'rows sorted by ts (descending), parts']);
    const days = translateTransformations(
      frame,
      { filters, resampling: createResampling(frame, 'day', 'UTC'), sort },
      utcOptions,
    );
    assert.deepEqual([days?.sql.length, days?.isResampled, days?.notApplied.length], [1, false, 3]);
    assert.equal(translateTransformations(frame, { filters: {}, sort: [] }, utcOptions), undefined);
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(
        createSnippetQuery('https://example.org', {}, { transformations: filtered }),
      );
      assert.match(text, /^(?:#|\/\/) Only in the panel: only rows where parts is 2 \.$/m, language);
      const transformationForm = hasTransformations(language) ? 'As in the panel' : 'Only in the panel';
      assert.ok(text.includes(` ${transformationForm}: only rows where wind_mw is >5.\n`), language);
    }
  });

  it('does not apply derivations to resampled days, because a program receives hours', () => {
    const [time, ...otherColumns] = createHours().columns;
    assert.ok(time?.kind === 'time');
    const bins = { size: 'day', timeZone: 'UTC', label: 'UTC' } as const;
    const derived = columns.filter(({ name }) => name !== 'steady');
    const transformations = translateTransformations(
      createFrame({ ...time, bins }, ...otherColumns),
      { derivation: { columns: derived } },
      utcOptions,
    );
    assert.deepEqual(
      [transformations?.sql, transformations?.applied, transformations?.notApplied.length],
      [[], [], derived.length],
    );
  });

  it('applies the transformations of a saved query like the panel, if the intervals are known', async () => {
    const frame = createHours();
    const { by, ...monthResampling } = createResampling(frame, 'month', 'Africa/Johannesburg');
    const { names, ...unnamedResampling } = monthResampling;
    const span = { ...unnamedResampling, locale: 'en' };
    const view = { derive: columns, resample: by };
    const transformations = translateViewTransformations(frame, view, span) ?? assert.fail();
    assertSameRows(
      await computeRowsInSql(database, frame, transformations),
      computePageRows(frame, { ...span, by, names }),
      'saved',
    );
    const moving = translateViewTransformations(frame, view, span, true);
    assert.match(moving?.sql.join('\n') ?? '', /SELECT min\("ts"\) FROM grid/);
    // Only the page knows the names of a cycle's bins.
    const cycle = translateViewTransformations(frame, { resample: 'hourOfDay' }, span);
    assert.deepEqual([cycle?.sql, cycle?.notApplied.length], [[], 1]);
    const filters = { ts: 'weekend' };
    const sort = [{ column: 'wind_mw', descending: false }];
    const filtered =
      translateViewTransformations(frame, { derive: columns, resample: by, where: filters, sort }, span) ??
      assert.fail();
    const resampling = { ...span, by, names };
    const expected = analyzeRows(frame, { filters, sort, resampling }, span.timeZone, columns);
    assertSameRows(await computeRowsInSql(database, frame, filtered), expected, 'filtered');
    const derive = [{ name: 'windy', formula: 'wind_mw > 1000 or not (pv_mw > 0)' }];
    const where = { windy: 'true' };
    const windy = translateViewTransformations(frame, { derive, where }, span) ?? assert.fail();
    const expectedRows = analyzeRows(frame, { filters: where, sort: [] }, span.timeZone, derive);
    assert.ok(expectedRows.length > 0 && expectedRows.length < frame.rowCount);
    assertSameRows(await computeRowsInSql(database, frame, windy), expectedRows, 'condition');
    assert.deepEqual(
      translateViewTransformations(undefined, { resample: by, where: filters, sort }, span)?.notApplied.length,
      3,
    );
    const compare = { kind: 'range', range: '2022' } as const;
    assert.deepEqual(translateViewTransformations(frame, { compare }, span)?.notApplied, [
      'compared with 2022, aligned by position',
    ]);
    const unknown = translateViewTransformations(undefined, view, span);
    assert.deepEqual([unknown?.sql, unknown?.applied, unknown?.notApplied.length], [[], [], columns.length + 1]);
    assert.equal(translateViewTransformations(undefined, {}, span), undefined);
    assert.equal(translateViewTransformations(frame, {}, span), undefined);
  });

  it('lists the stages of a saved query that a program cannot apply, with their sort keys', () => {
    const frame = createHours();
    const { by: _by, names: _names, ...resampling } = createResampling(frame, 'month', 'UTC');
    const span = { ...resampling, locale: 'en' };
    const where = { wind_mw: '>5' };
    const [filter, sort] = ['only rows where wind_mw is >5', [{ column: 'mae', descending: true }]];
    const find = { rule: { kind: 'ramp', value: 500, hours: 3 }, column: 'wind_mw' } as const;
    const score = { actual: 'pv_mw', forecast: 'wind_mw', by: 'hourOfDay' } as const;
    const found = translateViewTransformations(frame, { where, find }, span);
    assert.deepEqual([found?.sql.length, found?.applied], [1, [filter]]);
    assert.deepEqual(found?.notApplied, ['ramps: wind_mw changed by at least 500 over 3 hours']);
    const scored = translateViewTransformations(frame, { where, score, sort }, span);
    assert.deepEqual([scored?.sql.length, scored?.applied], [1, [filter]]);
    assert.match(scored?.notApplied[0] ?? '', /^wind_mw as a forecast of pv_mw, .* of UTC: error = actual - forecast/);
    assert.deepEqual(scored?.notApplied.slice(1), ['rows sorted by mae (descending)']);
    const summarized = translateViewTransformations(
      frame,
      { resample: 'day', missing: true, summarize: ['mean'] },
      span,
    );
    assert.deepEqual([summarized?.isResampled, summarized?.applied.length], [true, 1]);
    assert.deepEqual(summarized?.notApplied, ['a row for each column with its mean']);
    const byWind = [{ column: 'wind_mw', descending: false }];
    const filled = translateViewTransformations(frame, { missing: true, sort: byWind }, span);
    assert.deepEqual([filled?.sql.length, filled?.applied], [1, ['rows sorted by wind_mw']]);
    assert.deepEqual(filled?.notApplied, ['a row for each missing interval']);
    const unchanged = translateViewTransformations(frame, { find }, span);
    assert.deepEqual([unchanged?.sql, unchanged?.applied, unchanged?.notApplied.length], [[], [], 1]);
    for (const analysis of [{ find }, { score }, { missing: true }, { summarize: ['mean'] }] as const)
      assert.equal(translateViewTransformations(undefined, analysis, span)?.notApplied.length, 1);
    for (const language of queryLanguages) {
      const query = createSnippetQuery('https://example.org', {}, { transformations: unchanged });
      const comment = / Only in the panel: ramps: wind_mw changed by at least 500 over 3 hours\.$/m;
      assert.match(querySnippets[language].write(query), comment, language);
    }
  });

  it('lists the stages of a panel that a program cannot apply', () => {
    const untranslated = ['a row for each missing interval'];
    const transformations = translateTransformations(
      createHours(),
      { filters: { pv_mw: '>0' }, untranslated },
      utcOptions,
    );
    assert.deepEqual(
      [transformations?.applied, transformations?.notApplied],
      [['only rows where pv_mw is >0'], untranslated],
    );
    assert.deepEqual(translateTransformations(createHours(), { untranslated }, utcOptions)?.notApplied, untranslated);
  });

  it('lists all transformations of a joined query as not applied in the program of one of its datasets', () => {
    const transformations = describeMemberTransformations(
      createTransformations(createHours()),
      'System state and stress',
    );
    assert.deepEqual(
      [transformations.sql, transformations.applied, transformations.notApplied.length],
      [[], [], columns.length + 1],
    );
    assert.deepEqual(describeMemberTransformations(undefined, 'Both').notApplied, ['the other columns of Both']);
  });

  it('writes the transformations as code, or as comments in languages without support', () => {
    const transformations = createTransformations(createHours());
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(createSnippetQuery('https://example.org', {}, { transformations }));
      const isSupported = hasTransformations(language);
      const transformationForm = isSupported ? 'As in the panel' : 'Only in the panel';
      assert.ok(text.includes(` ${transformationForm}: the column both_mw = wind_mw + pv_mw.\n`), language);
      assert.equal(/^(?:#|\/\/) All rows as received: not filtered/m.test(text), !isSupported, language);
      assert.equal(text.includes('ALTER TABLE'), isSupported, language);
    }
  });
});

for (const engine of ['pandas', 'polars'] as const)
  describe(`the transformations of a panel, with ${engine}`, () => {
    before(async function () {
      if (!(await has(python, '-c', `import ${engine}, duckdb, pyarrow`))) this.skip();
    });

    for (const by of [undefined, 'month', 'weekday', 'tariffPeriod'] as const)
      it(`returns the same rows as the page: ${by ?? 'hours'}`, async () => {
        const { columns: allColumns, ...frameFields } = createHoursOfAllKinds();
        const frame = { ...frameFields, columns: allColumns.filter(({ kind }) => kind !== 'nested') };
        const timeZone = 'Africa/Johannesburg';
        const resampling = by && createResampling(frame, by, timeZone);
        const tableOptions = {
          filters: { ts: '!holiday, !off-peak', pv_mw: '!=0', status: '!stage', 'is "shed"': '!true' },
          sort: by === 'month' ? [] : [{ column: by ?? 'status', descending: true }],
          ...(resampling && { resampling }),
        };
        const derivation = { columns, intervalMs: hourMs };
        const transformations =
          translateTransformations(frame, { derivation, ...tableOptions }, { timeZone, locale: 'en', ...localRange }) ??
          assert.fail();
        const lines = readRows(frame).map(({ ts, 'is "shed"': flag, ...otherCells }) =>
          JSON.stringify({
            ts: new Date(Number(ts)).toISOString(),
            ...otherCells,
            'is "shed"': flag === null ? null : flag === 1,
          }),
        );
        const folder = createTemporaryFolder();
        const path = join(folder, 'rows.ndjson');
        await writeFile(path, lines.join('\n'));
        const file = { path, form: 'ndjson', timeColumn: 'ts', timeZone: 'UTC' } as const;
        const actual = await runAndParseRows(
          dataSnippets[engine].write({ ...file, transformations }),
          jsonExpressions[engine],
        );
        const expected = analyzeRows(frame, tableOptions, timeZone, columns);
        assertSameRows(actual, expected, String(by));
      });
  });

/** The tested queries: system state, and stress with its components. */
const queryCases = {
  systemState: { fields: systemStateFields, params: {}, derived: columns, bins: ['day'] },
  gridStress: {
    fields: gridStressFields,
    params: { components: 'true' },
    bins: [undefined, 'weekday'],
    derived: [{ name: 'high', formula: 'if(value > 0.4, mean(value, 3h), 0)' }],
  },
} as const;

describe('a query as a program with the transformations of its panel', () => {
  for (const language of languagesWithTransformations)
    it(`returns the same rows as the page: ${querySnippets[language].name}`, async function () {
      if (language === 'python' && !(await has(python, '-c', 'import requests, pandas, duckdb'))) this.skip();
      const service = await startSnippetService();
      try {
        for (const [dataset, { fields, params, derived, bins }] of Object.entries(queryCases))
          for (const by of bins) {
            const snippetQuery = createSnippetQuery(service.baseUrl, { dataset, params });
            const { start, end, dataset: datasetId } = snippetQuery.query;
            const address = `${service.baseUrl}${datasetId.path}?${new URLSearchParams(createRequestParameters(snippetQuery.query)).toString()}`;
            const response: unknown = await (await fetch(address, { headers: { 'X-API-KEY': service.key } })).json();
            const decoded = decode([response]).frame;
            assert.ok(decoded);
            const frame = clipFrame(describeFields(decoded, fields), { start, end }).frame;
            const timeZone = 'Africa/Johannesburg';
            const resampling = by && { ...createResampling(frame, by, timeZone), start, end };
            const filters = { ts: '!06:00-09:00' };
            const sort = [{ column: by ?? 'ts', descending: true }];
            const tableOptions = { filters, sort, ...(resampling && { resampling }) };
            const derivation = { columns: derived, intervalMs: hourMs };
            const transformations = translateTransformations(
              frame,
              { derivation, ...tableOptions },
              { timeZone, locale: 'en', ...localRange },
            );
            assert.deepEqual(transformations?.notApplied, []);
            const code = querySnippets[language].write({ ...snippetQuery, transformations });
            const actual = await programRows[language](code, { GRID_DATA_API_KEY: service.key });
            assertSameRows(actual, analyzeRows(frame, tableOptions, timeZone, derived), `${dataset} ${String(by)}`);
          }
      } finally {
        await service.close();
      }
    });
});
