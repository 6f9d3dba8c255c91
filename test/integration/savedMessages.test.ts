import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { GridWorld } from '../unit/service/gridWorld.ts';
import type { SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import {
  formatQuery,
  formatRunDescription,
  formatRunLabel,
  formatDescription,
  formatTooltipLines,
  type QueryStatus,
} from '../../src/host/savedQueries/savedMessages.ts';
import { formatShortInstant } from '../../src/host/messages/times.ts';
import { parseQueriesFile } from '../../src/core/savedQueries/file/queriesFile.ts';
import { allQueries } from '../../src/core/savedQueries/walk.ts';
import { useVscodeSettings } from '../../src/host/configuration.ts';
import { settings } from '../../src/host/ids.ts';
import { resolveQueryAt } from '../../src/host/query/queryArgument.ts';
import { displayZone } from '../../src/host/settings.ts';
import type { LastRun, RecentRun } from '../../src/service/savedQueries/recentRuns.ts';

const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const now = Date.UTC(2026, 10, 14, 5, 30);
const saved: SavedQuery = {
  kind: 'query',
  id: 'day',
  name: 'Day',
  connection: 'Production',
  query: {
    dataset: 'systemState',
    range: 'last 24 hours',
    interval: '1h',
    params: { a: 'b' },
    timeZone: 'Africa/Johannesburg',
  },
};
const lastRun: LastRun = { at: now - 60_000, outcome: { kind: 'rows', rows: 24 }, requestsSpent: 1 };
const production = { name: 'Production', service: 'powerSignals' } as const;
const facts: QueryStatus = { connection: production, lastRun, isFresh: true, now };

describe('the description of a saved query', () => {
  before(useVscodeSettings);
  it('describes a saved query by its parameters until it is run', () => {
    const notRun = { ...facts, lastRun: undefined };
    assert.equal(formatDescription(saved, notRun, sast), 'System state · last 24 hours · hourly');
    assert.equal(formatTooltipLines(saved, notRun, sast).at(-1), 'Not run yet');
  });

  it('shows the result of the last run first', () => {
    const description = 'System state · last 24 hours · hourly';
    assert.equal(formatDescription(saved, facts, sast), `up to date · 24 rows · 07:29 SAST (UTC+2) · ${description}`);
    assert.match(formatDescription(saved, { ...facts, isFresh: false }, sast), /^due · 24 rows/);
    const failed: LastRun = { ...lastRun, outcome: { kind: 'failed', reason: 'timeout' } };
    assert.equal(
      formatDescription(saved, { ...facts, lastRun: failed }, sast),
      `failed · 07:29 SAST (UTC+2) · ${description}`,
    );
  });

  it('describes in full the current range, the connection and the last run of a saved query', () => {
    assert.deepEqual(formatTooltipLines(saved, facts, sast), [
      'System state · last 24 hours · hourly',
      'Now: 13 Nov 2026 07:00 – 14 Nov 2026 07:00 SAST (UTC+2)',
      'Parameters: a=b',
      'Connection: Production',
      'Last run: 14 Nov 2026 07:29 SAST (UTC+2), 1 request: 24 rows',
      'No newer data is published.',
    ]);
    const unknown = formatTooltipLines(saved, { ...facts, connection: undefined, lastRun: undefined }, sast);
    assert.ok(unknown.includes("Connection: 'Production' (not found; select one when running)"), unknown.join('\n'));
  });

  it('labels the index of an alert on Sample Data as local stress', () => {
    const alerts: SavedQuery['alerts'] = [
      { id: 'a', on: true, kind: 'condition', condition: 'value >= 0.6' },
      { id: 'b', on: true, kind: 'condition', condition: 'value >= 0.8' },
      { id: 'c', on: true, kind: 'condition', condition: 'value > 0.7' },
    ];
    const watched: SavedQuery = { ...saved, query: { ...saved.query, dataset: 'gridStress' }, keepFresh: true, alerts };
    const readAlertsLine = (connection: QueryStatus['connection']) =>
      formatTooltipLines(watched, { ...facts, connection }, sast).find(text => text.startsWith('Alerts: '));
    assert.equal(readAlertsLine(production), 'Alerts: Stress high or above, Stress critical, Stress over 0.7');
    assert.equal(
      readAlertsLine({ name: 'Desk', service: 'sandbox' }),
      'Alerts: Local stress high or above, Local stress critical, Local stress over 0.7',
    );
  });

  it('formats an absolute range by its dates, with the year in saved names', () => {
    const query = { ...saved.query, range: '2026-11-06T22:00Z..2026-11-13T22:00Z' };
    assert.equal(formatRunLabel(query, now), 'System state · 7 Nov 00:00 – 14 Nov 00:00 SAST (UTC+2)');
    assert.equal(formatQuery(query), 'System state · 7 Nov 2026 00:00 – 14 Nov 2026 00:00 SAST (UTC+2) · hourly');
    assert.equal(formatRunLabel(saved.query, now), 'System state · last 24 hours');
  });

  it('names the zone of the days if the setting has another one, which does not affect the result', async () => {
    const updateSetting = (name: string | undefined) =>
      vscode.workspace.getConfiguration().update(settings.timeZone, name, vscode.ConfigurationTarget.Global);
    const text =
      '{ "queries": [{ "name": "Monthly report", "dataset": "systemState", "range": "2024-W12", "timeZone": "SAST" }] }';
    const [report] = allQueries(parseQueriesFile(text).tree);
    assert.ok(report);
    const runInZone = async (zone: string) => {
      await updateSetting(zone);
      const [queryText, range] = formatTooltipLines(report, { ...facts, lastRun: undefined }, displayZone());
      const world = new GridWorld('2026-11-14T05:30Z');
      const { frame } = await world.window().run(resolveQueryAt(report.query, world.now), world.endpoint);
      const power = frame?.columns.find(column => column.kind === 'number') ?? assert.fail();
      const energy = power.values.reduce((sum, mw) => sum + mw, 0);
      return { what: queryText, range, energy };
    };
    try {
      const johannesburg = await runInZone('SAST');
      const london = await runInZone('Europe/London');
      assert.ok(johannesburg.energy > 0);
      assert.equal(london.energy, johannesburg.energy);
      assert.equal(johannesburg.what, 'System state · 2024-W12 · hourly');
      assert.equal(london.what, 'System state · 2024-W12 · hourly · days of SAST');
      assert.equal(london.range, johannesburg.range);
    } finally {
      await updateSetting(undefined);
    }
  });

  it('shows the time of a run today, and the day of a run this year', () => {
    assert.equal(formatShortInstant(now, sast, now), '07:30 SAST (UTC+2)');
    assert.equal(formatShortInstant(now - 86_400_000, sast, now), '13 Nov 07:30 SAST (UTC+2)');
    assert.equal(formatShortInstant(Date.UTC(2025, 10, 14, 5, 30), sast, now), '14 Nov 2025 07:30 SAST (UTC+2)');
    const run = { id: '1', ...lastRun, query: saved.query, connection: { id: 'one', name: 'Production' } };
    assert.equal(formatRunDescription(run, sast, now), '07:29 SAST (UTC+2) · 24 rows · hourly');
    const formatRun = (data: RecentRun['data']): string => formatRunDescription({ ...run, data }, sast, now);
    assert.equal(formatRun('synthetic'), '07:29 SAST (UTC+2) · Sample Data · 24 rows · hourly');
    assert.equal(formatRun('replay'), '07:29 SAST (UTC+2) · Replayed Hours · 24 rows · hourly');
  });
});
