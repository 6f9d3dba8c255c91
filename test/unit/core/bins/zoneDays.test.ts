import assert from 'node:assert/strict';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { createExportProvenance, formatProvenanceLines } from '../../../../src/core/export/exportProvenance.ts';
import { createTableToWrite } from '../../../../src/core/export/exportTable.ts';
import {
  getRequestedSpan,
  createResolveContext,
  resolveQuery,
  type ResolvedQuery,
} from '../../../../src/core/query/query.ts';
import { calculateColumnEnergy } from '../../../../src/core/statistics/energy.ts';
import { stepRange } from '../../../../src/core/range/steppedRange.ts';
import { describeQuery } from '../../../../src/core/summary/describeQuery.ts';
import { createColumnMetadata } from '../../../../src/service/export/byteChunk.ts';
import { systemStateFields } from '../../../../src/shared/fields.ts';
import type { NumberColumn } from '../../../../src/shared/frame.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../../service/gridWorld.ts';
import { resolveComparedQueries } from '../../../../src/core/compare/comparedRanges.ts';
import { addMissingRows } from '../../../../src/core/frame/frames.ts';

const interval = '1d@Europe/Berlin';
const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
const parse = (text: string): number => Date.parse(text);

function resolve({ now }: GridWorld, range: string): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' }, now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

/** Queries five days around the clock change of 29 March, without the 28th and without an hour of the 30th. */
async function runSpringQuery(): Promise<{ world: GridWorld; resolvedQuery: ResolvedQuery; result: Result }> {
  const world = new GridWorld('2026-11-21T08:05Z');
  for (let ms = parse('2026-03-27T23:00Z'); ms < parse('2026-03-28T23:00Z'); ms += hour) world.holes.add(ms);
  world.holes.add(parse('2026-03-30T10:00Z'));
  const resolvedQuery = resolve(world, '2026-03-27..2026-03-31');
  return { world, resolvedQuery, result: await world.window().run(resolvedQuery, world.endpoint) };
}

function listNumberColumns({ frame }: Result): NumberColumn[] {
  return frame?.columns.filter((column): column is NumberColumn => column.kind === 'number') ?? [];
}

describe('a query for the days of a time zone', () => {
  it('computes energy over the hours that have data', async () => {
    const { result } = await runSpringQuery();
    const mean =
      listNumberColumns(result).find(({ hours, field }) => hours && field?.unit?.mwhPerHour) ?? assert.fail();
    assert.deepEqual([...(mean.hours ?? [])], [24, 23, 23, 24]);
    const energy = calculateColumnEnergy(mean, mean.values.keys(), { sum: NaN, count: 4 }, undefined);
    assert.equal(energy?.hours, 94);
    const sums = listNumberColumns(result).find(({ name }) => name === mean.name.replace(/_mw$/, '_mwh'));
    const total = sums?.values.reduce((sum, value) => sum + value, 0) ?? NaN;
    assert.ok(Math.abs(energy.mwh - total) < 1e-6 * Math.abs(total));
  });

  it('exports the end of each day, a row for a missing day and the zone of the days', async () => {
    const { result } = await runSpringQuery();
    const { frame, coverage, provenance } = result;
    assert.ok(frame && coverage);
    const [ends] = createTableToWrite({ frame, columns: ['intervalEnd'], intervalMs: 24 * hour }).columns;
    const days = ['2026-03-27T23:00Z', '2026-03-29T22:00Z', '2026-03-30T22:00Z', '2026-03-31T22:00Z'];
    assert.deepEqual(ends?.kind === 'time' && [...ends.values], days.map(parse));
    const rowsWithMissing = addMissingRows(frame, coverage, provenance.start, 24 * hour);
    const [time] = rowsWithMissing.frame.columns;
    assert.deepEqual(time?.kind === 'time' && time.values[1], parse('2026-03-27T23:00Z'));
    assert.deepEqual(time?.kind === 'time' && time.bins, { size: 'day', ...berlin });
    const options = { format: 'csv', times: 'zone', zone: berlin } as const;
    const lines = formatProvenanceLines(createExportProvenance(result, { frame }, options));
    assert.ok(lines.some(line => /^days: days of Europe\/Berlin, calculated from hours/.test(line)));
    assert.ok(lines.includes('hours: 94 of 119'));
    assert.ok(lines.includes('missing: 2026-03-27T23:00:00Z/2026-03-28T23:00:00Z'), lines.join('\n'));
    assert.match(
      describeQuery(result).join(' '),
      /a day of Europe\/Berlin, identified by its date there and computed from its hours.*4 of 5 days.*1 with only some of their hours/,
    );
  });

  it('labels rows as days in files, although the service returns hours', async () => {
    const { result } = await runSpringQuery();
    const [time] = result.frame?.columns ?? [];
    assert.ok(time);
    assert.equal(systemStateFields.get('ts')?.label, 'Hour');
    assert.equal(createColumnMetadata(time)['label'], 'Day');
  });

  it('explains in files how each number was aggregated from hours', async () => {
    const { result } = await runSpringQuery();
    const notes = listNumberColumns(result)
      .filter(({ name }) => name.startsWith('residual_demand'))
      .map(createColumnMetadata);
    const demandMeaning = 'System demand minus renewable generation; includes shed load.';
    assert.deepEqual(
      notes.map(({ label, unit, meaning }) => [label, unit, meaning]),
      [
        ['Residual demand', 'MW', `${demandMeaning} Mean of the hours that have a value`],
        ['Residual demand, energy', 'MWh', `${demandMeaning} Energy of the hours that have a value`],
        ['Residual demand, min', 'MW', `${demandMeaning} Lowest hour`],
        ['Residual demand, max', 'MW', `${demandMeaning} Highest hour`],
      ],
    );
  });

  it('compares ranges day by day, also across a clock change', async () => {
    const { world, resolvedQuery, result } = await runSpringQuery();
    const comparedQuery =
      resolveComparedQueries({ kind: 'previousPeriod', align: 'hourOfWeek' }, resolvedQuery, world.now)?.[0] ??
      assert.fail();
    const comparedResult = await world.window().run(comparedQuery, world.endpoint);
    assert.ok(result.frame && comparedResult.frame && resolvedQuery.days && comparedQuery.days);
    for (const [align, first] of [
      ['hourOfWeek', '2026-03-19T23:00Z'],
      ['position', '2026-03-19T23:00Z'],
    ] as const) {
      const frame = compareFrames(result.frame, comparedResult.frame, {
        align,
        intervalMs: hour,
        timeZone: berlin.timeZone,
        comparedWith: 'before',
        translate: text => text,
        base: getRequestedSpan(resolvedQuery),
        other: getRequestedSpan(comparedQuery),
        edges: { base: resolvedQuery.days.edges, other: comparedQuery.days.edges },
      });
      const comparedColumn = frame.columns[1];
      assert.ok(comparedColumn?.kind === 'time' && comparedColumn.bins);
      // Days before 29 March begin at 23:00 UTC, later days at 22:00.
      const expected = [first, '2026-03-21T23:00Z', '2026-03-22T23:00Z', '2026-03-23T23:00Z'].map(parse);
      assert.deepEqual([...comparedColumn.values], expected, align);
    }
  });

  it('steps the range by the same number of days', () => {
    const context = createResolveContext({ interval, timeZone: 'UTC' }, parse('2026-04-06T12:00Z'));
    assert.equal(stepRange('2026-03', -1, context), '2026-02');
    const earlierRange = stepRange('last 7 days', -1, context) ?? assert.fail();
    const resolved = resolveQuery(
      { dataset: 'systemState', range: earlierRange, interval, params: {}, timeZone: 'UTC' },
      context.now,
    );
    assert.ok(resolved.ok && resolved.value.days);
    assert.deepEqual(resolved.value.days.edges.length - 1, 7);
    assert.equal(resolved.value.days.edges[7], parse('2026-03-29T22:00Z'));
  });
});
