import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { toCsv, toJsonRecords } from '../../../support/receivedText.ts';
import { createAbsentConnection } from '../../../../src/core/connections/connection.ts';
import { runCompared, addMissingRange, type ComparedResult } from '../../../../src/host/panel/comparedRun.ts';
import { fillIn } from '../../../l10n/fillIn.ts';
import { GridWorld } from '../../service/gridWorld.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import { intervalState } from '../../../../src/shared/result.ts';

const lastYear = { align: 'position', getName: () => 'same period last year', localize: fillIn } as const;
const day = '2026-05-03';
const earlierDay = '2025-05-03';

async function compare(world: GridWorld, options: RunHandlers = {}): Promise<ComparedResult> {
  const runner = world.window();
  return runCompared(world.query(day), [world.query(earlierDay)], lastYear, async query =>
    runner.run(query, world.endpoint, options),
  );
}

describe('a result from the archive only', () => {
  const connection = { ...createAbsentConnection('Grid'), id: 'one' };

  it('includes the number of requests for its missing hours, and the action that they require', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query(day);
    const read = async () => world.window().run(query, world.endpoint, { refresh: 'never' });
    const countMissingWith = async (hasKey: boolean, from = connection) => {
      const pricing = { countRequests: async () => Promise.resolve({ requests: 2, hasKey }) };
      return (await addMissingRange(await read(), query, from, { pricing })).missingRange;
    };
    assert.deepEqual(await countMissingWith(true), { requests: 2 });
    assert.deepEqual(await countMissingWith(false), { requests: 2, action: 'enterKey' });
    assert.deepEqual(await countMissingWith(false, createAbsentConnection('Grid')), {
      requests: 2,
      action: 'addConnection',
    });
    await world.window().run(query, world.endpoint);
    assert.equal(await countMissingWith(false), undefined);
  });
});

describe('a compared run', () => {
  it('names the compared period and its missing hours', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.holes.add(Date.parse('2025-05-03T02:00Z'));
    const { comparedRange, compared, provenance, coverage } = await compare(world);
    assert.deepEqual(
      [
        comparedRange?.name,
        comparedRange?.range,
        comparedRange?.start,
        comparedRange?.end,
        comparedRange?.coverage?.missing,
      ],
      [lastYear.getName(), earlierDay, Date.parse(earlierDay), Date.parse('2025-05-04'), 1],
    );
    assert.deepEqual(compared, [['residual_demand_mw', 'residual_demand_mw · compared']]);
    assert.deepEqual([provenance.requestsSpent, coverage?.missing], [2, 0]);
  });

  it('reads both periods from a complete archive without requests, and reports hours that are not archived', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await compare(world);
    const again = await compare(world, { refresh: 'never' });
    assert.deepEqual([world.sentRequests.length, again.comparedRange?.coverage?.present], [2, 24]);
    await world.archive.clear();
    await world.window().run(world.query(day), world.endpoint);
    const incompleteRun = await compare(world, { refresh: 'never' });
    assert.deepEqual([incompleteRun.frame?.rowCount, incompleteRun.comparedRange?.coverage?.notRequested], [24, 24]);
  });

  it('includes the response bodies of both periods', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const runner = world.window();
    const createBody = (range: string) => new TextEncoder().encode(range);
    const query = world.query(day);
    const comparedQuery = world.query(earlierDay);
    const { bodies } = await runCompared(query, [comparedQuery], lastYear, async requested => {
      const result = await runner.run(requested, world.endpoint);
      return { ...result, bodies: [createBody(requested.range)] };
    });
    assert.deepEqual(bodies, [createBody(day), createBody(earlierDay)]);
  });

  it('includes the revisions of both periods', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await compare(world);
    world.now += 3_600_000;
    world.holes.add(Date.parse('2026-05-03T01:00Z')).add(Date.parse('2025-05-03T02:00Z'));
    const { revisions } = await compare(world, { refresh: 'always' });
    assert.deepEqual([revisions?.withdrawn, revisions?.before.rowCount, revisions?.after.rowCount], [2, 2, 0]);
  });

  it('exports the date and year of each compared hour', async () => {
    const { frame } = await compare(new GridWorld('2026-11-21T08:05Z'));
    assert.ok(frame);
    const [names, first] = toCsv(frame).split('\r\n');
    assert.match(names ?? '', /^ts,ts · compared,residual_demand_mw,/);
    assert.match(first ?? '', /^2026-05-03T00:00:00Z,2025-05-03T00:00:00Z,/);
    assert.match(toJsonRecords(frame), /"ts · compared":"2025-05-03T00:00:00Z"/);
  });

  it('lists failed parts, not each interval of missing rows within them', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const runner = world.window();
    const query = world.query(day);
    const comparedQuery = world.query(earlierDay);
    const part = [query.start, query.end] as const;
    const { provenance } = await runCompared(query, [comparedQuery], lastYear, async requested => {
      const result = await runner.run(requested, world.endpoint);
      if (requested !== query || !result.coverage) return result;
      const states = result.coverage.states.map((_, index) =>
        index % 2 === 0 ? intervalState.present : intervalState.failed,
      );
      const failure = { reason: 'timeout', ranges: [part] };
      return { ...result, coverage: { ...result.coverage, states }, provenance: { ...result.provenance, failure } };
    });
    assert.deepEqual(provenance.failure, { reason: 'timeout', ranges: [part] });
  });

  it('keeps the rows of the period if the compared period fails, and includes the reason', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.beforeResponse = ({ range }) => {
      if (range === earlierDay) throw new GridError('throttled', { status: 429, requestsSpent: 1 });
    };
    const { frame, provenance, comparedRange } = await compare(world);
    assert.deepEqual([frame?.rowCount, provenance.requestsSpent, comparedRange?.range], [24, 2, earlierDay]);
    assert.deepEqual(
      [provenance.failure?.reason, provenance.failure?.ranges],
      ['throttled', [[Date.parse(earlierDay), Date.parse('2025-05-04')]]],
    );
  });

  it('fails when the period itself fails or the run is canceled', async () => {
    for (const [failing, reason] of [
      [day, 'keyRejected'],
      [earlierDay, 'cancelled'],
    ] as const) {
      const world = new GridWorld('2026-11-21T08:05Z');
      world.beforeResponse = ({ range }) => {
        if (range === failing) throw new GridError(reason, { requestsSpent: 0 });
      };
      const stop = new AbortController();
      if (reason === 'cancelled') world.archive.merge = () => Promise.resolve((stop.abort(), true));
      await assert.rejects(compare(world, { signal: stop.signal }), { reason });
    }
  });
});
