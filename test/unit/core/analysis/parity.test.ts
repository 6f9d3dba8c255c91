import assert from 'node:assert/strict';
import { createTableState } from '../../../support/tableState.ts';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { analyze, Analyzer, listResamplingChoices, planResampling } from '../../../../src/core/analysis/analyze.ts';
import type { ResultRows } from '../../../../src/core/analysis/resultRows.ts';
import { translateTransformations } from '../../../../src/core/snippets/panelTransformations.ts';
import { binSizes, cycles, resampledFigureSets } from '../../../../src/shared/resampling.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import { toAnalysis, initialView, type View } from '../../../../src/shared/view.ts';
import { summaryFigures } from '../../../../src/shared/summaryFigures.ts';
import { computeDisplayedResult } from '../../../../src/presentation/result/displayedRows.ts';
import { translate } from '../../../../src/presentation/translate.ts';
import { power } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { readSharedCells } from '../../../support/sharedFiles.ts';
import { booleanColumn, createFrame, numberColumn, timeColumn } from '../filter/columns.ts';
import { formatFormula, arbitraryFormulas } from '../formula/formulaModel.ts';
import { analyzeRows, assertSameRows, readRows, context, computeRowsInSql } from '../snippets/panelRows.ts';

const hourMs = 3_600_000;
const zones = ['UTC', 'Africa/Johannesburg', 'Europe/Berlin', 'Australia/Lord_Howe'] as const;

/** SQL for the figures of a column whose rows have equal lengths, by their names in a summary. */
const figures: Readonly<Record<string, (column: string) => string>> = {
  energy_mwh: column => `sum(${column})`,
  energy_hours: column => `CASE WHEN count(${column}) > 0 THEN count(${column}) END`,
  mean: column => `avg(${column})`,
  load_factor_pct: column =>
    `CASE WHEN min(${column}) >= 0 AND max(${column}) > 0 THEN 100 * avg(${column}) / max(${column}) END`,
  min: column => `min(${column})`,
  min_at: column => `arg_min(epoch_ms(ts), (${column}, ts)) FILTER (${column} IS NOT NULL)`,
  max: column => `max(${column})`,
  max_at: column => `arg_min(epoch_ms(ts), (-${column}, ts)) FILTER (${column} IS NOT NULL)`,
  p5: column => `quantile_cont(${column}, 0.05)`,
  median: column => `quantile_cont(${column}, 0.5)`,
  p95: column => `quantile_cont(${column}, 0.95)`,
  deviation: column => `CASE WHEN count(${column}) > 1 THEN stddev_samp(${column}) END`,
  null: column => `count(*) - count(${column})`,
  values: column => `count(${column})`,
};

/** The page caches the stages of previous analyses. */
const pageAnalyzer = new Analyzer({ locale: 'en', translate });
function assertSameOnPage(rows: ResultRows, view: View): void {
  const state = createTableState(rows.frame, rows);
  computeDisplayedResult(pageAnalyzer, state, { ...view, sort: [], filters: {}, resample: undefined });
  const { frame, order } = computeDisplayedResult(pageAnalyzer, state, view).rows;
  const host = analyze(rows, toAnalysis(view), { locale: 'en', translate });
  assert.deepEqual(
    frame.columns.map(({ name }) => name),
    host.frame.columns.map(({ name }) => name),
  );
  assert.deepEqual([readRows(frame), order && [...order]], [readRows(host.frame), host.order && [...host.order]]);
}

async function assertSameSummary(
  database: DuckDBConnection,
  rows: ResultRows,
  analysis: Analysis,
  description: string,
): Promise<void> {
  const { frame } = analyze(rows, { ...analysis, summarize: summaryFigures }, context);
  for (const summaryRow of readRows(frame).filter(({ field }) => field === 'a_mw' || field === 'b_mw')) {
    const cells = Object.entries(figures).map(
      ([name, sql]) => `(${sql(String(summaryRow['field']))})::DOUBLE AS "${name}"`,
    );
    const [sqlRow = {}] = (await database.runAndReadAll(`SELECT ${cells.join(', ')} FROM grid`)).getRowObjectsJson();
    for (const name of Object.keys(figures)) {
      const expected = summaryRow[name] ?? null;
      const actual = (sqlRow[name] ?? null) as number | null;
      const isNear =
        typeof expected === 'number' && actual !== null
          ? Math.abs(expected - actual) <= 1e-7 * Math.max(1, Math.abs(expected))
          : expected === actual;
      assert.ok(isNear, `${description}, ${summaryRow['field']}, ${name}: ${expected}, not ${actual}`);
    }
  }
}

/** Generates analyses of received rows with some missing hours and some cells without a value. */
const analyses = fc.record({
  from: fc.nat(14_000),
  hours: fc.integer({ min: 1, max: 300 }),
  holes: fc.array(fc.nat(300), { maxLength: 40 }),
  nulls: fc.array(fc.nat(300), { maxLength: 40 }),
  timeZone: fc.constantFrom(...zones),
  formulas: fc.array(arbitraryFormulas.map(formatFormula), { maxLength: 2 }),
  resample: fc.constantFrom(undefined, undefined, ...binSizes, ...cycles),
  figures: fc.constantFrom(undefined, undefined, ...resampledFigureSets),
  where: fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    {},
    { ts: '17:00-20:00' },
    { ts: '!22:30-06:00 Mon-Fri' },
    { ts: 'weekend or holiday' },
    { ts: 'peak, !Wed' },
    { a_mw: '>=24000 or <21000 or null' },
    { b_mw: '1000..<4000, !null', flag: '!true' },
    // Rounding may put the result of a formula on either side of a limit.
    { made_0: '>1234.5678', made_1: '!null or <77.7777' },
  ),
  sort: fc.uniqueArray(
    fc.record({
      // For formulas, the last digit would decide the order of two equal numbers.
      column: fc.constantFrom('ts', 'a_mw', 'b_mw', 'flag'),
      descending: fc.boolean(),
    }),
    { maxLength: 3, selector: ({ column }) => column },
  ),
});

describe('the stages of an analysis', () => {
  let database: DuckDBConnection;
  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    await database.run("SET TimeZone = 'UTC'");
  });
  after(() => database.closeSync());

  it('returns the same cells in page, host and DuckDB for any analysis of real hours', async function () {
    const realData = readSharedCells('data', 'eskom-hourly-2022-06_2024-03.csv');
    if (!realData) return this.skip();
    const [demand, wind, ocgt] = ['Residual Demand', 'Wind', 'Eskom OCGT Generation'].map(name =>
      realData.heading.indexOf(name),
    );
    const property = fc.asyncProperty(analyses, async ({ from, hours, holes, nulls, timeZone, ...requested }) => {
      const receivedRows = realData.rows.slice(from, from + hours).filter((_, index) => !holes.includes(index));
      fc.pre(receivedRows.length > 0);
      const readColumn = (column = -1) =>
        receivedRows.map((row, hour) => (nulls.includes(hour + column) ? null : Number(row[column])));
      const instants = receivedRows.map(row => Date.parse(`${row[0]}T${row[1]}+02:00`));
      const frame = createFrame(
        timeColumn('ts', instants),
        numberColumn('a_mw', readColumn(demand), power),
        numberColumn('b_mw', readColumn(wind), power),
        numberColumn('odd "name"', readColumn(ocgt)),
        booleanColumn(
          'flag',
          readColumn(wind).map(value => value && value > 1500),
        ),
      );
      const derive = requested.formulas.map((formula, index) => ({ name: `made_${index}`, formula }));
      const [start = NaN, last = NaN] = [instants[0], instants.at(-1)];
      const rows: ResultRows = {
        frame,
        interval: '1h',
        intervalMs: hourMs,
        start,
        coverage: undefined,
        zone: { timeZone, label: timeZone },
      };
      const by =
        requested.resample && listResamplingChoices(rows).includes(requested.resample) ? requested.resample : undefined;
      const resampling = by && {
        ...(planResampling(rows, by, {}, context, requested.figures) ?? assert.fail()),
        end: last + hourMs,
      };
      const tableOptions = { filters: requested.where, sort: requested.sort, ...(resampling && { resampling }) };
      const view = { ...initialView, derived: derive, filters: requested.where, resample: by, sort: requested.sort };
      assertSameOnPage(rows, { ...view, binFigures: requested.figures });
      const transformations = translateTransformations(
        frame,
        { derivation: { columns: derive, intervalMs: hourMs }, ...tableOptions },
        { timeZone, locale: 'en', start, end: last + hourMs },
      );
      if (!transformations) return;
      assert.deepEqual(transformations.notApplied, []);
      const description = JSON.stringify({ start: new Date(start), timeZone, derive, ...requested });
      assertSameRows(
        await computeRowsInSql(database, frame, transformations),
        analyzeRows(frame, tableOptions, timeZone, derive),
        description,
      );
      // The figures of longer rows are weighted by their hours, which this SQL does not do.
      if (!by) await assertSameSummary(database, rows, { derive, where: requested.where }, description);
    });
    await fc.assert(property, { numRuns: scaleRunCount(1000) });
  });
});
