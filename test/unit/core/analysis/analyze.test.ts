import assert from 'node:assert/strict';
import { createAnalyzedFrame, analyze } from '../../../../src/core/analysis/analyze.ts';
import { describeAnalysis } from '../../../../src/core/analysis/describeAnalysis.ts';
import { formatEnglish } from '../../../../src/core/bins/binSums.ts';
import { clipFrame } from '../../../../src/core/frame/clip.ts';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import type { Analysis } from '../../../../src/shared/analysis.ts';
import { initialView, parseView, toAnalysis } from '../../../../src/shared/view.ts';
import { power } from '../../../../src/shared/units.ts';
import { readRows } from '../snippets/panelRows.ts';
import { createFrame, numberColumn, timeColumn } from '../filter/columns.ts';

const hourMs = 3_600_000;
const start = Date.parse('2023-05-01T00:00Z');
/** Two days of hours, without 05:00 of the first day. */
const hours = Array.from({ length: 48 }, (_, hour) => hour).filter(hour => hour !== 5);
const frame = createFrame(
  timeColumn(
    'ts',
    hours.map(hour => start + hour * hourMs),
  ),
  numberColumn(
    'wind_mw',
    hours.map(hour => (hour === 7 ? null : 100 * ((hour * 7) % 24))),
    power,
  ),
  numberColumn(
    'forecast_mw',
    hours.map(hour => 100 * ((hour * 7) % 24) + 50),
    power,
  ),
);
const span = { start, end: start + 48 * hourMs };
const rows = {
  frame,
  interval: '1h',
  intervalMs: hourMs,
  start,
  zone: utc,
  coverage: computeCoverage(frame, span, hourMs, { now: span.end }),
};
const context = { locale: 'en', translate: formatEnglish };

function analyzeRows(analysis: Analysis) {
  const analyzed = analyze(rows, analysis, context);
  return {
    ...analyzed,
    cells: readRows(createAnalyzedFrame(analyzed, analysis)),
    texts: describeAnalysis(analysis, analyzed),
  };
}

describe('analyze', () => {
  it('returns the rows as received if the analysis has no stages', () => {
    const { cells, order, problems, texts } = analyzeRows({});
    assert.deepEqual([cells, order, problems, texts], [readRows(frame), undefined, [], []]);
  });

  it('keeps the source of a derived column in the result, its description, its field and a view', () => {
    const source = 'Eskom Tariffs & Charges 2025/26, as of 1 April 2025';
    const derive = [
      { name: 'cost', formula: 'wind_mw * 2 R/MWh', source },
      { name: 'windy', formula: 'wind_mw > 500' },
      { name: 'much', formula: 'cost > 500 R', source },
    ];
    const { derived, texts, frame: analyzed } = analyzeRows({ derive });
    assert.deepEqual(derived, derive);
    assert.equal(texts[0], `the column cost = wind_mw * 2 R/MWh (source: ${source})`);
    assert.equal(texts[1], 'the column windy = wind_mw > 500');
    assert.deepEqual(
      analyzed.columns.slice(-3).map(({ field }) => field?.source),
      [source, undefined, source],
    );
    const resampled = analyzeRows({ derive, resample: 'day' }).frame.columns.find(({ name }) => name === 'cost');
    assert.equal(resampled?.field?.source, source);
    assert.deepEqual(toAnalysis(parseView({ analysis: { derive } })), { derive });
  });

  it('applies derived columns, filters, the window, the sort order, the columns and the limit', () => {
    const { cells, problems, texts } = analyzeRows({
      derive: [{ name: 'both', formula: 'wind_mw + forecast_mw' }],
      where: { both: '<4000' },
      within: { start, end: start + 24 * hourMs },
      sort: [{ column: 'both', descending: true }],
      columns: ['both', 'ts'],
      limit: 2,
    });
    const first = hours.filter(hour => hour < 24 && hour !== 7 && 200 * ((hour * 7) % 24) + 50 < 4000);
    const expectedHours = first.toSorted((a, b) => ((b * 7) % 24) - ((a * 7) % 24)).slice(0, 2);
    assert.deepEqual(
      cells,
      expectedHours.map(hour => ({ both: 200 * ((hour * 7) % 24) + 50, ts: start + hour * hourMs })),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(texts, [
      'the column both = wind_mw + forecast_mw',
      'only rows where both is <4000',
      'only rows from 2023-05-01T00:00:00Z to before 2023-05-02T00:00:00Z',
      'rows sorted by both (descending)',
      'at most 2 rows',
    ]);
  });

  it('computes days, events and scores from the rows that pass the filters', () => {
    const days = analyzeRows({ where: { wind_mw: '!null' }, resample: 'day', columns: ['ts', 'hours', 'of_hours'] });
    assert.deepEqual(
      days.cells.map(({ hours, of_hours }) => [hours, of_hours]),
      [
        [22, 23],
        [24, 24],
      ],
    );
    const runs = analyzeRows({
      find: { column: 'wind_mw', rule: { kind: 'condition', condition: 'wind_mw > 2200' } },
    });
    assert.equal(runs.cells.length, 2);
    const score = analyzeRows({
      score: { actual: 'wind_mw', forecast: 'forecast_mw', by: 'all' },
      columns: ['hours', 'mae_mw'],
    });
    assert.deepEqual(score.cells, [{ hours: 46, mae_mw: 50 }]);
    assert.deepEqual(
      [days, runs, score].flatMap(({ problems }) => problems),
      [],
    );
  });

  it('adds a row for each missing interval', () => {
    assert.equal(analyzeRows({ missing: true }).cells.length, 48);
  });

  it('skips invalid parts of an analysis, and reports the reasons', () => {
    const { problems, cells } = analyzeRows({
      derive: [{ name: 'x', formula: 'wind_mw + ' }],
      where: { wind_mw: 'much', gone: '>1' },
      sort: [{ column: 'nowhere', descending: false }],
    });
    assert.deepEqual(problems, [
      "Column 'x': The formula is incomplete.",
      "Filter of 'wind_mw': 'much' isn't a valid number. Try >100, 100..200 or null; alternatives as 1 or 2.",
      "Unknown column 'gone'. There are ts, wind_mw, forecast_mw.",
      "Unknown column 'nowhere'. There are ts, wind_mw, forecast_mw.",
    ]);
    assert.equal(cells.length, frame.rowCount);
    const threeHourBins = analyze({ ...rows, interval: '1d', intervalMs: 24 * hourMs }, { resample: '3h' }, context);
    assert.deepEqual(threeHourBins.problems, []);
    const invalidAnalyses: readonly (readonly [Analysis, string])[] = [
      [
        { find: { column: 'name', rule: { kind: 'peak' } } },
        "Unknown column 'name'. There are ts, wind_mw, forecast_mw.",
      ],
      [{ find: { column: 'ts', rule: { kind: 'peak' } } }, "Column 'ts' has no numbers."],
      [
        { find: { column: 'wind_mw', rule: { kind: 'condition', condition: 'wind_mw + 1' } } },
        "Condition 'wind_mw + 1': Enter a condition here, such as wind_mw > 100 MW.",
      ],
      [
        {
          derive: [{ name: 'part', formula: 'wind_mw / forecast_mw' }],
          score: { actual: 'wind_mw', forecast: 'part', by: 'all' },
        },
        'A forecast and what it forecasts are two columns of one unit.',
      ],
    ];
    for (const [analysis, problem] of invalidAnalyses) {
      const result = analyzeRows(analysis);
      assert.deepEqual([result.problems, result.events, result.scorecard], [[problem], undefined, undefined]);
    }
    const days = {
      ...rows,
      interval: '1d',
      intervalMs: 24 * hourMs,
      frame: clipFrame(frame, { start, end: start + 1 }).frame,
    };
    const invalidDailyAnalyses: readonly (readonly [Analysis, string])[] = [
      [
        { find: { column: 'wind_mw', rule: { kind: 'peak' } } },
        'Peaks and ramps need rows of an hour, or of a whole part of one.',
      ],
      [
        { score: { actual: 'wind_mw', forecast: 'forecast_mw', by: 'hourOfDay' } },
        'These rows cannot be scored by hourOfDay. Use all, weekday, monthOfYear, season.',
      ],
    ];
    for (const [analysis, problem] of invalidDailyAnalyses)
      assert.deepEqual(analyze(days, analysis, context).problems, [problem]);
    const untimed = { ...rows, frame: createFrame(numberColumn('mw', [1])), intervalMs: undefined };
    assert.deepEqual(analyze(untimed, { resample: 'day' }, context).problems, [
      'These rows cannot be resampled by day. Use rows with a time.',
    ]);
  });

  it('can be parsed into a view with the same settings', () => {
    const runs = { column: 'wind_mw', rule: { kind: 'ramp', value: 500, hours: 2 } } as const;
    const sort = [{ column: 'start', descending: true }];
    const events = parseView({ analysis: { where: { wind_mw: '>1' }, find: runs, sort } });
    assert.deepEqual(events, {
      ...initialView,
      tab: 'events',
      filters: { wind_mw: '>1' },
      events: { ...initialView.events, kind: 'ramp', column: 'wind_mw', value: '500', hours: 2 },
      tables: { events: { sort, arrangement: undefined } },
    });
    const derive = [{ name: 'x', formula: 'wind_mw * 2' }];
    assert.deepEqual(parseView({ analysis: { derive, resample: 'day', missing: true, sort } }), {
      ...initialView,
      derived: derive,
      resample: 'day',
      missingRows: true,
      sort,
    });
    const score = { actual: 'wind_mw', forecast: 'forecast_mw', by: 'weekday' } as const;
    assert.deepEqual(parseView({ analysis: { score } }), { ...initialView, tab: 'forecast', forecast: score });
  });
});
