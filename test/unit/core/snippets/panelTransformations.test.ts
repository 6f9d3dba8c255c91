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
import { power } from '../../../../src/shared/units.ts';
import { booleanColumn, frameOf, numberColumn, textColumn, timeColumn } from '../filter/columns.ts';
import { textOf, writtenFormulas, writtenRows } from '../formula/formulaModel.ts';
import { analysedRows, assertSameRows, cellsOf, context, rowsBySql, type Cell } from './panelRows.ts';
import { asJson, programRows, rowsPrinted } from './programRows.ts';
import { questionOf } from './questions.ts';
import { startSnippetService } from './snippetService.ts';
import { has, python } from './tools.ts';
import { manyRuns } from '../../../support/manyRuns.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const hourMs = 3_600_000;
const makingSteps = ['python', 'typeScript'] as const satisfies readonly QueryLanguage[];
const isMaking = (language: QueryLanguage): boolean => makingSteps.some(one => one === language);

/** Three weeks of hours over a clock change and the end of a month, with nulls, absent numbers and missing hours. */
function hours(): Frame {
  const at = Array.from({ length: 24 * 21 }, (_, hour) => Date.parse('2023-10-20T05:00Z') + hour * hourMs).filter(
    (_, hour) => hour % 50 !== 7 && !(hour >= 100 && hour < 130),
  );
  const cells = (value: (hour: number) => number) =>
    at.map((_, hour) => (hour % 17 === 3 ? null : hour % 29 === 5 ? undefined : value(hour)));
  const described = (name: string, fields: typeof systemStateFields, value: (hour: number) => number): Column => {
    const field = fields.get(name);
    return { ...numberColumn(name, cells(value)), ...(field && { field }) };
  };
  return frameOf(
    timeColumn('ts', at),
    described('wind_mw', systemStateFields, hour => 1000.25 + ((hour * 37) % 500)),
    described('pv_mw', systemStateFields, hour => Math.max(0, ((hour * 91) % 700) - 200)),
    described('total_re_mw', systemStateFields, hour => 2000 + ((hour * 13) % 900)),
    described('renewable_share_pct', systemStateFields, hour => (hour % 97 === 0 ? 0 : 5 + ((hour * 7) % 30))),
    described('value', gridStressFields, hour => ((hour * 53) % 100) / 100),
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
  // The parts are often 0, and the whole sometimes.
  { name: 'of both', formula: 'share(pv_mw, if(wind_mw > 1400 MW, 0 MW, both_mw + min(pv_mw, 100 MW)))' },
  { name: 'energy', formula: 'sum(wind_mw, 7d) / 7' },
  // In windows with gaps each row counts once.
  { name: 'steady', formula: 'if(value > 0.4, 2 * mean(value, 6h), 0) + value / mean(value, 24h)' },
  { name: 'of_day', formula: 'share(mean(wind_mw, 24h), total)' },
];

function resamplingOf(frame: Frame, by: Resampling['by'], timeZone: string): Resampling {
  const time = frame.columns[0];
  assert.ok(time?.kind === 'time');
  const [start, end] = [time.values[0] ?? NaN, (time.values.at(-1) ?? NaN) + 5 * hourMs];
  const names = isCycle(by) ? getCycleNames(by, context.locale, context.say) : [];
  return { by, timeZone, label: timeZone, start, end, stepMs: hourMs, names };
}

/** Creates the rows that the page displays: derived, then resampled. */
function pageRows(frame: Frame, resampling?: Resampling): Record<string, Cell>[] {
  const { frame: whole, errors } = deriveColumns(frame, { columns, stepMs: hourMs });
  assert.deepEqual([...errors.keys()], []);
  return cellsOf(resampling ? resampleFrame(whole, resampling) : whole);
}

/** Hours with a text, a boolean and JSON besides the numbers; `hour % 31` is missing in each. */
function hoursOfKinds(): Frame {
  const frame = hours();
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
  return frameOf(
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

const range = { start: Date.parse('2023-10-20T05:00Z'), end: Date.parse('2023-11-10T05:00Z') };
const inUtc = { timeZone: 'UTC', locale: 'en', ...range };

function stepsOf(frame: Frame, resampling?: Resampling): PanelTransformations {
  const derivation = { columns, stepMs: hourMs };
  return translateTransformations(frame, { derivation, ...(resampling && { resampling }) }, inUtc) ?? assert.fail();
}

describe('the transformations of a panel, as SQL', () => {
  let database: DuckDBConnection;
  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await database.run("SET TimeZone = 'UTC'");
  });
  after(() => database.closeSync());

  it('derives the columns that the page derives', async () => {
    const frame = hours();
    assertSameRows(await rowsBySql(database, frame, stepsOf(frame)), pageRows(frame), 'derived');
  });

  it('derives, filters and resamples like the page for any formula, with missing values', async () => {
    const bins = fc.constantFrom(undefined, undefined, ...binSizes, ...cycles);
    // Power, a number without a unit, and a share, which have different figures.
    const units = fc.constantFrom('{0}', '{0} / 1 MW', 'share({0}, a_mw + 50 MW)');
    const typed = fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { ts: '!22:00-03:00' },
      { a_mw: '>0 or null' },
      { made: '!null', flag: '!true' },
    );
    const all = [writtenFormulas, units, writtenRows, bins, typed] as const;
    const property = fc.asyncProperty(...all, async (written, unit, given, by, filters) => {
      const formula = unit.replace('{0}', () => textOf(written));
      fc.pre(formula.length <= 400);
      const steps = [...new Set(given.flatMap(({ step }) => step ?? []))].sort((a, b) => a - b);
      fc.pre(steps.length > 0);
      const rows = steps.flatMap(step => given.find(row => row.step === step) ?? []);
      const cells = (name: keyof (typeof rows)[number]['cells']) => rows.map(row => row.cells[name]);
      const frame = frameOf(
        timeColumn(
          'ts',
          steps.map(step => Date.parse('2023-03-25T20:00Z') + step * hourMs),
        ),
        numberColumn('a_mw', cells('a_mw'), power),
        numberColumn('b_mw', cells('b_mw'), power),
        numberColumn('odd "name"', cells('odd "name"')),
        booleanColumn('flag', cells('flag')),
      );
      const derived = [{ name: 'made', formula }];
      const timeZone = 'Europe/Berlin';
      const resampling = by && resamplingOf(frame, by, timeZone);
      const shown = { filters, sort: [], ...(resampling && { resampling }) };
      const context = { timeZone, locale: 'en', ...range };
      const made =
        translateTransformations(frame, { derivation: { columns: derived, stepMs: hourMs }, ...shown }, context) ??
        assert.fail();
      const where = JSON.stringify([formula, by, filters]);
      assertSameRows(await rowsBySql(database, frame, made), analysedRows(frame, shown, timeZone, derived), where);
    });
    await fc.assert(property, { numRuns: manyRuns(60) });
  });

  for (const by of [...binSizes, ...cycles])
    it(`resamples as the page does: ${by}`, async () => {
      const frame = hours();
      for (const zone of ['Africa/Johannesburg', 'Europe/Berlin']) {
        const resampling = resamplingOf(frame, by, zone);
        const made = await rowsBySql(database, frame, stepsOf(frame, resampling));
        assertSameRows(made, pageRows(frame, resampling), `${by} of ${zone}`);
      }
    });

  it('resamples rows of other lengths by where they begin, also off the hours of UTC', async () => {
    const [minuteMs, dayMs] = [60_000, 24 * hourMs];
    const begins = { SAST: '2023-02-05T22:00Z', Kathmandu: '2023-02-05T18:15Z', monday: '2023-02-06T00:00Z' } as const;
    const all = [
      [15 * minuteMs, begins.Kathmandu, 'day', 'Africa/Johannesburg'],
      [hourMs, begins.Kathmandu, 'day', 'Asia/Kathmandu'],
      [3 * hourMs, begins.SAST, 'week', 'Africa/Johannesburg'],
      [7 * hourMs, begins.SAST, 'month', 'Africa/Johannesburg'],
      [dayMs, begins.SAST, 'weekday', 'Africa/Johannesburg'],
      [7 * dayMs, begins.monday, 'quarter', 'UTC'],
    ] as const;
    for (const [stepMs, begin, by, timeZone] of all) {
      const at = Array.from({ length: 90 }, (_, step) => Date.parse(begin) + step * stepMs).filter(
        (_, at) => at % 7 !== 3,
      );
      const time = timeColumn('ts', at);
      const values = at.map((_, row) => (row % 11 === 5 ? null : 1000.25 + ((row * 37) % 500)));
      const frame = frameOf(time, numberColumn('wind_mw', values, power));
      const resampling = { ...resamplingOf(frame, by, timeZone), stepMs, end: (at.at(-1) ?? NaN) + stepMs };
      const steps = translateTransformations(frame, { resampling }, inUtc) ?? assert.fail();
      const where = `${stepMs / hourMs} h by ${by}`;
      assertSameRows(await rowsBySql(database, frame, steps), cellsOf(resampleFrame(frame, resampling)), where);
    }
  });

  it('uses the intervals of the received rows for a relative range', async () => {
    const frame = hours();
    const resampling = resamplingOf(frame, 'hourOfDay', 'UTC');
    const moving = translateTransformations(frame, { resampling }, inUtc, true) ?? assert.fail();
    const made = await rowsBySql(database, frame, moving);
    const expected = resampleFrame(frame, { ...resampling, end: resampling.end - 4 * hourMs });
    assertSameRows(made, cellsOf(expected), 'moving');
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

  it('filters, resamples and sorts as the table does', async () => {
    // Picks one of the two for each filter, unless all cases are tested.
    const binsFor = (at: number) => {
      const longer = (['day', 'month', 'hourOfDay', 'weekday'] as const)[(at >> 1) % 4];
      return (at % 2 === 0 ? [undefined, longer] : [longer, undefined]).slice(0, manyRuns(2));
    };
    const frame = hoursOfKinds();
    const [timeZone, derived] = ['Europe/Berlin', [columns[0], columns[1], columns[4]].flatMap(one => one ?? [])];
    for (const [at, filters] of typedFilters.entries())
      for (const by of binsFor(at)) {
        const others = [
          { column: 'is "shed"', descending: false },
          { column: 'of both', descending: at % 2 === 0 },
        ];
        const time = { column: by === 'day' ? 'day' : 'ts', descending: true };
        const text = { column: by ? 'hour_of_day' : 'status', descending: at % 2 === 0 };
        const sorts = [[], [{ column: 'pv_mw', descending: true }], others, [time], [text]];
        const sort = sorts[(at + (at >> 2)) % 5] ?? [];
        const resampling = by && resamplingOf(frame, by, timeZone);
        const shown = { filters, sort, ...(resampling && { resampling }) };
        const derivation = { columns: derived, stepMs: hourMs };
        const steps =
          translateTransformations(frame, { derivation, ...shown }, { timeZone, locale: 'en', ...range }) ??
          assert.fail();
        const where = JSON.stringify([filters, sort, by]);
        assert.deepEqual(steps.notApplied, [], where);
        assertSameRows(await rowsBySql(database, frame, steps), analysedRows(frame, shown, timeZone, derived), where);
      }
  });

  it('reports what it does not apply: filters in JSON, resampling of these, and the order of JSON', () => {
    const frame = hoursOfKinds();
    const filters = { parts: '2\n', wind_mw: '>5', pv_mw: '5..1', other: '1', value: ' ' };
    const sort = [
      { column: 'ts', descending: true },
      { column: 'parts', descending: false },
    ];
    const filtered = translateTransformations(frame, { filters, sort }, inUtc);
    assert.deepEqual(filtered?.sql, ['CREATE OR REPLACE TEMP TABLE grid AS FROM grid WHERE ("wind_mw"::DOUBLE > 5)']);
    assert.deepEqual(filtered.applied, ['only rows where wind_mw is >5']);
    assert.deepEqual(filtered.notApplied, ['only rows where parts is 2\n', 'rows sorted by ts (descending), parts']);
    const days = translateTransformations(
      frame,
      { filters, resampling: resamplingOf(frame, 'day', 'UTC'), sort },
      inUtc,
    );
    assert.deepEqual([days?.sql.length, days?.isResampled, days?.notApplied.length], [1, false, 3]);
    assert.equal(translateTransformations(frame, { filters: {}, sort: [] }, inUtc), undefined);
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(questionOf('https://example.org', {}, { transformations: filtered }));
      assert.match(text, /^(?:#|\/\/) Only in the panel: only rows where parts is 2 \.$/m, language);
      const how = isMaking(language) ? 'As in the panel' : 'Only in the panel';
      assert.ok(text.includes(` ${how}: only rows where wind_mw is >5.\n`), language);
    }
  });

  it('omits transformations of days, because a program has their hours', () => {
    const [time, ...others] = hours().columns;
    assert.ok(time?.kind === 'time');
    const bins = { size: 'day', timeZone: 'UTC', label: 'UTC' } as const;
    const derived = columns.filter(({ name }) => name !== 'steady');
    const steps = translateTransformations(
      frameOf({ ...time, bins }, ...others),
      { derivation: { columns: derived } },
      inUtc,
    );
    assert.deepEqual([steps?.sql, steps?.applied, steps?.notApplied.length], [[], [], derived.length]);
  });

  it('applies the transformations of a saved query like the panel, if some of its rows are known', async () => {
    const frame = hours();
    const { by, ...whole } = resamplingOf(frame, 'month', 'Africa/Johannesburg');
    const { names, ...rest } = whole;
    const span = { ...rest, locale: 'en' };
    const view = { derive: columns, resample: by };
    const made = translateViewTransformations(frame, view, span) ?? assert.fail();
    assertSameRows(await rowsBySql(database, frame, made), pageRows(frame, { ...span, by, names }), 'saved');
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
    const expected = analysedRows(frame, { filters, sort, resampling }, span.timeZone, columns);
    assertSameRows(await rowsBySql(database, frame, filtered), expected, 'filtered');
    const derive = [{ name: 'windy', formula: 'wind_mw > 1000 or not (pv_mw > 0)' }];
    const where = { windy: 'true' };
    const windy = translateViewTransformations(frame, { derive, where }, span) ?? assert.fail();
    const held = analysedRows(frame, { filters: where, sort: [] }, span.timeZone, derive);
    assert.ok(held.length > 0 && held.length < frame.rowCount);
    assertSameRows(await rowsBySql(database, frame, windy), held, 'condition');
    assert.deepEqual(
      translateViewTransformations(undefined, { resample: by, where: filters, sort }, span)?.notApplied.length,
      3,
    );
    const compare = { kind: 'range', range: '2022' } as const;
    assert.deepEqual(translateViewTransformations(frame, { compare }, span)?.notApplied, [
      'the comparison with another period',
    ]);
    const unknown = translateViewTransformations(undefined, view, span);
    assert.deepEqual([unknown?.sql, unknown?.applied, unknown?.notApplied.length], [[], [], columns.length + 1]);
    assert.equal(translateViewTransformations(undefined, {}, span), undefined);
    assert.equal(translateViewTransformations(frame, {}, span), undefined);
  });

  it('is a comment in programs for a member of a joined dataset, which lack the other columns', () => {
    const steps = describeMemberTransformations(stepsOf(hours()), 'System state and stress');
    assert.deepEqual([steps.sql, steps.applied, steps.notApplied.length], [[], [], columns.length + 1]);
    assert.deepEqual(describeMemberTransformations(undefined, 'Both').notApplied, ['the other columns of Both']);
  });

  it('is a comment in languages without it', () => {
    const transformations = stepsOf(hours());
    for (const language of queryLanguages) {
      const text = querySnippets[language].write(questionOf('https://example.org', {}, { transformations }));
      const isMade = isMaking(language);
      const how = isMade ? 'As in the panel' : 'Only in the panel';
      assert.ok(text.includes(` ${how}: the column both_mw = wind_mw + pv_mw.\n`), language);
      assert.equal(/^(?:#|\/\/) All rows as received: not filtered/m.test(text), !isMade, language);
      assert.equal(text.includes('ALTER TABLE'), isMade, language);
    }
  });
});

for (const engine of ['pandas', 'polars'] as const)
  describe(`what a panel makes, with ${engine}`, () => {
    before(async function () {
      if (!(await has(python, '-c', `import ${engine}, duckdb, pyarrow`))) this.skip();
    });

    for (const by of [undefined, 'month', 'weekday', 'tariffPeriod'] as const)
      it(`is what the page shows: ${by ?? 'hours'}`, async () => {
        const { columns: all, ...rest } = hoursOfKinds();
        const frame = { ...rest, columns: all.filter(({ kind }) => kind !== 'nested') };
        const timeZone = 'Africa/Johannesburg';
        const resampling = by && resamplingOf(frame, by, timeZone);
        const shown = {
          filters: { ts: '!holiday, !off-peak', pv_mw: '!=0', status: '!stage', 'is "shed"': '!true' },
          sort: by === 'month' ? [] : [{ column: by ?? 'status', descending: true }],
          ...(resampling && { resampling }),
        };
        const derivation = { columns, stepMs: hourMs };
        const transformations =
          translateTransformations(frame, { derivation, ...shown }, { timeZone, locale: 'en', ...range }) ??
          assert.fail();
        const lines = cellsOf(frame).map(({ ts, 'is "shed"': flag, ...others }) =>
          JSON.stringify({
            ts: new Date(Number(ts)).toISOString(),
            ...others,
            'is "shed"': flag === null ? null : flag === 1,
          }),
        );
        const folder = temporaryFolder();
        const path = join(folder, 'rows.ndjson');
        await writeFile(path, lines.join('\n'));
        const file = { path, form: 'ndjson', timeColumn: 'ts', timeZone: 'UTC' } as const;
        const made = await rowsPrinted(dataSnippets[engine].write({ ...file, transformations }), asJson[engine]);
        const expected = analysedRows(frame, shown, timeZone, columns);
        assertSameRows(made, expected, String(by));
      });
  });

/** Creates a query for system state, or for stress with its components. */
const questions = {
  systemState: { fields: systemStateFields, params: {}, derived: columns, bins: ['day'] },
  gridStress: {
    fields: gridStressFields,
    params: { components: 'true' },
    bins: [undefined, 'weekday'],
    derived: [{ name: 'high', formula: 'if(value > 0.4, mean(value, 3h), 0)' }],
  },
} as const;

describe('a query as a program with the transformations of its panel', () => {
  for (const language of makingSteps)
    it(`returns the rows of the page: ${querySnippets[language].name}`, async function () {
      if (language === 'python' && !(await has(python, '-c', 'import requests, pandas, duckdb'))) this.skip();
      const service = await startSnippetService();
      try {
        for (const [dataset, { fields, params, derived, bins }] of Object.entries(questions))
          for (const by of bins) {
            const question = questionOf(service.baseUrl, { dataset, params });
            const { start, end, dataset: asked } = question.query;
            const address = `${service.baseUrl}${asked.path}?${new URLSearchParams(createRequestParameters(question.query)).toString()}`;
            const answer: unknown = await (await fetch(address, { headers: { 'X-API-KEY': service.key } })).json();
            const decoded = decode([answer]).frame;
            assert.ok(decoded);
            const frame = clipFrame(describeFields(decoded, fields), { start, end }).frame;
            const timeZone = 'Africa/Johannesburg';
            const resampling = by && { ...resamplingOf(frame, by, timeZone), start, end };
            const [filters, sort] = [{ ts: '!06:00-09:00' }, [{ column: by ?? 'ts', descending: true }]];
            const shown = { filters, sort, ...(resampling && { resampling }) };
            const derivation = { columns: derived, stepMs: hourMs };
            const transformations = translateTransformations(
              frame,
              { derivation, ...shown },
              { timeZone, locale: 'en', ...range },
            );
            assert.deepEqual(transformations?.notApplied, []);
            const code = querySnippets[language].write({ ...question, transformations });
            const made = await programRows[language](code, { GRID_DATA_API_KEY: service.key });
            assertSameRows(made, analysedRows(frame, shown, timeZone, derived), `${dataset} ${String(by)}`);
          }
      } finally {
        await service.close();
      }
    });
});
