import assert from 'node:assert/strict';
import { toServiceQuery } from '../../../support/serviceQuery.ts';
import { resolveQuery, type ServiceQuery } from '../../../../src/core/query/query.ts';
import { type Result, getDisplayStates, partialDay, intervalState } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const parseTime = (text: string): number => Date.parse(text);

function query({ now }: GridWorld, range: string, interval: string, timeZone = 'UTC'): ServiceQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone }, now);
  return resolved.ok ? toServiceQuery(resolved.value) : assert.fail(resolved.problem);
}

async function runDays(world: GridWorld, range: string, interval = '1d@SAST'): Promise<Result> {
  return world.window().run(query(world, range, interval), world.endpoint);
}

function findColumn({ frame }: Result, name: string): number[] {
  const match = frame?.columns.find(candidate => candidate.name === name);
  return match && 'values' in match ? [...match.values] : assert.fail(`no ${name}`);
}

describe('days of a zone', () => {
  it('returns exactly the days of the range in the zone, from one request for its hours', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const result = await runDays(world, '2026-05');
    const { coverage, provenance } = result;
    assert.deepEqual(world.sentRequests, [
      { dataset: 'systemState', start: parseTime('2026-04-30T22:00Z'), end: parseTime('2026-05-31T22:00Z') },
    ]);
    assert.equal(result.frame?.rowCount, 31);
    assert.deepEqual([coverage?.expected, coverage?.present, provenance.interval], [31, 31, '1d@SAST']);
    assert.deepEqual(provenance.days, { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' });
    assert.equal(findColumn(result, 'ts')[0], parseTime('2026-04-30T22:00Z'));
    assert.deepEqual(new Set(findColumn(result, 'hours')), new Set([24]));
  });

  it('sends no request if the archive has the hours, and archives the hours it requests', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await runDays(world, '2026-05');
    const secondResult = await runDays(world, '2026-05-03');
    const hours = await world.window().run(query(world, '2026-05-03', '1h'), world.endpoint);
    assert.equal(world.sentRequests.length, 1);
    assert.deepEqual(
      [secondResult.provenance.requestsSpent, secondResult.provenance.archivedIntervals, secondResult.frame?.rowCount],
      [0, 24, 1],
    );
    assert.equal(hours.frame?.rowCount, 24);
    assert.equal((await world.window().engine.planParts(query(world, '2026-05', '1d@SAST'), world.endpoint)).length, 0);
  });

  it('counts the hours of a day with missing hours and of the unfinished day', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    for (const text of ['2026-11-19T02:00Z', '2026-11-19T03:00Z']) world.holes.add(parseTime(text));
    const result = await runDays(world, '2026-11-18..');
    const { coverage } = result;
    assert.ok(coverage?.hours);
    // Today began at 22:00 UTC; ten of its hours have ended.
    assert.deepEqual(findColumn(result, 'hours'), [24, 22, 24, 10]);
    assert.deepEqual(findColumn(result, 'of_hours'), [24, 24, 24, 24]);
    assert.deepEqual([...coverage.hours.present], [24, 22, 24, 10]);
    assert.deepEqual(
      [...getDisplayStates(coverage)],
      [intervalState.present, partialDay, intervalState.present, partialDay],
    );
    const { counts } = coverage.hours;
    assert.deepEqual([counts?.missing, counts?.notPublished], [2, 14]);
  });

  it('returns days of 23 and 25 hours at clock changes, and days of a half-hour zone from the hours that begin in them', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const spring = await runDays(world, '2026-03-28..2026-03-30', '1d@Europe/Berlin');
    assert.deepEqual(findColumn(spring, 'of_hours'), [24, 23, 24]);
    const autumn = await runDays(world, '2026-10-25', '1d@Europe/Berlin');
    assert.deepEqual([findColumn(autumn, 'hours'), autumn.coverage?.expected], [[25], 1]);
    const india = await runDays(world, '2026-05-03', '1d@Asia/Kolkata');
    assert.deepEqual(findColumn(india, 'ts'), [parseTime('2026-05-02T18:30Z')]);
    assert.deepEqual(world.sentRequests.at(-1), {
      dataset: 'systemState',
      start: parseTime('2026-05-02T19:00Z'),
      end: parseTime('2026-05-03T19:00Z'),
    });
  });

  it('marks a day as missing, failed or not requested by its hours', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    for (let ms = parseTime('2026-05-01T22:00Z'); ms < parseTime('2026-05-02T22:00Z'); ms += hour) world.holes.add(ms);
    const { coverage } = await runDays(world, '2026-05-01..2026-05-03');
    assert.deepEqual(coverage?.missingRanges, [[parseTime('2026-05-01T22:00Z'), parseTime('2026-05-02T22:00Z')]]);
    const resolved = query(world, '2025-05-01..2025-05-03', '1d@SAST');
    const archivedResult = await world.window().run(resolved, world.endpoint, { refresh: 'never' });
    assert.equal(archivedResult.coverage?.notRequested, 3);
    assert.equal(archivedResult.coverage.hours?.counts?.notRequested, 72);
  });

  it("requests the service's UTC days for the interval 1d", () => {
    const world = new GridWorld('2023-06-15T12:00Z');
    const plain = query(world, '2023-05', '1d', 'Africa/Johannesburg');
    assert.deepEqual([plain.interval, plain.days], ['1d', undefined]);
    assert.equal((plain.end - plain.start) / (24 * hour), 32);
  });
});

describe('ranges of days of a zone', () => {
  const now = parseTime('2026-11-21T08:05Z');
  const count = (range: string, interval = '1d@SAST'): number => {
    const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' }, now);
    return resolved.ok && resolved.value.days ? resolved.value.days.edges.length - 1 : NaN;
  };

  it('resolves a range to whole days of the zone, including today if it reaches the present', () => {
    const counts = ['2023-05', 'yesterday', 'today', 'last 7 days', 'month to date', '2026-11-18..', 'last 24 hours'];
    assert.deepEqual(
      counts.map(range => count(range)),
      [31, 1, 1, 7, 21, 4, 1],
    );
    assert.equal(count('2023-03', '1d@Europe/Berlin'), 31);
    assert.equal(count('2023-05', '1d@Asia/Kathmandu'), 31);
  });

  it('rejects an unknown zone', () => {
    const resolved = resolveQuery(
      { dataset: 'systemState', range: 'today', interval: '1d@Mars', params: {}, timeZone: 'UTC' },
      now,
    );
    assert.deepEqual(resolved, { ok: false, problem: 'badInterval', part: '1d@Mars' });
  });
});
