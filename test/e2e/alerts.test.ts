import assert from 'node:assert/strict';
import { allQueries } from '../../src/core/savedQueries/walk.ts';
import type { SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { startClockedService, type ClockedService } from './clockedService.ts';
import { openPersonalStore } from './savedSupport.ts';
import { addConnection, beginQuery, readRow, setLimits, waitForTable } from './support.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const hour = 3_600_000;
const stress = 'Grid stress · last 24 hours · hourly';

describe('hourly refresh and alerts', () => {
  let workbench: Workbench;
  let service: ClockedService;
  const userDataDir = createTemporaryFolder();

  before(async () => {
    service = await startClockedService();
    await openPersonalStore(userDataDir).edit(() => [
      createSavedQuery('morning', 'Morning stress', 'last 24 hours'),
      createSavedQuery('old', 'Old month', '2023-01'),
    ]);
    workbench = await startWorkbench({ userDataDir });
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await service.syncClock(workbench);
    // The service's clock advances by hours within one minute of the rate limit.
    await setLimits(workbench, 'Canned', '1000/1', 'Grid stress');
  });
  disposeAfter(() => [workbench, service]);

  it('enables hourly refresh of a query, but not of a query with a past range', async () => {
    await workbench.notifications.waitForNone();
    assert.equal(service.stressRequests(), 0);
    await workbench.runCommand('Grid Data: Enable Hourly Refresh');
    await workbench.quickInput.waitItem('Morning stress');
    assert.match(await workbench.quickInput.placeholder(), /at most 1 request an hour, 24 a day/);
    await workbench.quickInput.pick('Old month');
    await workbench.notifications.waitFor("'2023-01' has ended, so there is no new data.");
    await workbench.runCommand('Grid Data: Enable Hourly Refresh');
    await workbench.quickInput.pick('Morning stress');
    await workbench.notifications.waitFor("'Morning stress' refreshes hourly: at most 1 request an hour");
    await assertStressRequests(1);
    await workbench.clearNotifications();
  });

  it('adds an alert, shows its cost and validates the value', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Grid Data: Add Alert…');
    await quickInput.pick('Morning stress');
    await quickInput.waitOpen('Add Alert · Morning stress');
    assert.match(await quickInput.placeholder(), /No extra requests/);
    await quickInput.pick('Value over or under…');
    await quickInput.pick('Stress');
    await quickInput.pick('Over');
    await quickInput.waitMessage('Enter the value for Stress over');
    await quickInput.type('7');
    await quickInput.waitMessage('Enter a number between 0 and 1');
    await quickInput.type('0');
    assert.match(
      await quickInput.waitMessage('would have fired'),
      /Stress over 0 · would have fired in (\d+) of \1 archived hours of the last 30 days/,
    );
    await quickInput.cancel();
    await workbench.runCommand('Grid Data: Add Alert…');
    await quickInput.pick('Morning stress');
    await quickInput.pick('Condition…');
    await quickInput.waitMessage('Enter a condition on an hour.');
    await quickInput.type('value + 1');
    await quickInput.waitMessage('Enter a condition here, such as wind_mw > 100 MW.');
    await quickInput.type('value >= 0 and not (mean(value, 1h) < 0)');
    await quickInput.waitMessage('would have fired');
    await workbench.page.keyboard.press('Enter');
    await quickInput.waitItem('2 rows in a row');
    await quickInput.cancel();
    await workbench.runCommand('Grid Data: Add Alert…');
    await quickInput.pick('Morning stress');
    await quickInput.pick('Stress band reached…');
    await quickInput.pick('high');
    await quickInput.pick('In any row');
    await workbench.notifications.waitFor("Alert added to 'Morning stress': Stress high or above.");
    assert.deepEqual(await readAlerts(), [{ kind: 'condition', condition: 'value >= 0.6', on: true }]);
    await workbench.clearNotifications();
  });

  it('alerts once about the next hour, with value, time and zone, and refreshes the open panel in place', async () => {
    await beginQuery(workbench, 'Grid stress');
    await workbench.quickInput.type('last 24 hours');
    await workbench.quickInput.pick('Last 24 hours');
    await workbench.quickInput.pick('1h');
    const previousRow = await readRow(await waitForTable(workbench, stress), 0);
    assert.equal(service.stressRequests(), 1);

    const hourText = await service.publishNextHour(workbench, 'Pin Latest Stress');
    await workbench.notifications.waitFor(`Morning stress (Canned): Stress 0.72, high, ${hourText}.`);
    assert.deepEqual(await workbench.notifications.buttons('Stress 0.72'), ['Open', 'Snooze', 'Turn Off']);
    const frame = await waitForTable(workbench, stress);
    await until(
      'the new hour in the open panel',
      async () => readRow(frame, 0),
      row => row[0] !== previousRow[0],
    );
    assert.equal(service.stressRequests(), 2, 'the alert, the panel and the pinned value share one request');
    await workbench.runCommand('Grid Data: Edit Alerts…');
    await workbench.quickInput.pick('Morning stress');
    await workbench.quickInput.waitItem('Stress high or above');
    const firedItem = workbench.page.locator('.quick-input-list', { hasText: `Fired once in 14 days: ${hourText}` });
    await firedItem.waitFor();
    await workbench.screenshot('alerts-with-what-fired');
    await workbench.quickInput.cancel();
  });

  it('shows the latest stress in the status bar while it is pinned', async () => {
    const texts = await until(
      'the pinned stress',
      () => workbench.statusBar(),
      texts => texts.some(text => text.includes('Stress 0.72 high')),
    );
    assert.ok(texts.length > 0);
    const item = workbench.page.locator('.statusbar-item', { hasText: 'Stress 0.72 high' });
    const label = (await item.locator('a').getAttribute('aria-label')) ?? '';
    assert.match(label, /Stress 0\.72, high\. Hour: .* – .* UTC\. Connection: Canned/);
  });

  it('shows no alert while snoozed', async () => {
    await workbench.notifications.press('Stress 0.72', 'Snooze');
    await workbench.quickInput.waitItem('4 hours');
    await workbench.quickInput.pick('4 hours');
    const [alert] = await until(
      'the snooze',
      () => readAlerts(),
      ([firstAlert]) => firstAlert?.['snoozedUntil'] !== undefined,
    );
    const snoozeLeftMs = Number(alert?.['snoozedUntil']) - service.now();
    assert.ok(snoozeLeftMs > 3.5 * hour && snoozeLeftMs < 6 * hour, `${snoozeLeftMs / hour} hours`);
    await service.publishNextHour(workbench, 'Unpin Latest Stress');
    await assertStressRequests(3);
    await workbench.runCommand('Grid Data: Edit Alerts…');
    await workbench.quickInput.pick('Morning stress');
    await workbench.quickInput.waitItem('snoozed until');
    await workbench.quickInput.pick('Stress high or above');
    await workbench.quickInput.pick('Turn Off');
    await workbench.notifications.waitForNone();
  });

  it('alerts again after the alert is turned on, about new hours only, until it is turned off', async () => {
    await workbench.runCommand('Grid Data: Edit Alerts…');
    await workbench.quickInput.pick('Morning stress');
    await workbench.quickInput.pick('Stress high or above');
    await workbench.quickInput.pick('Turn On');
    await until(
      'the alert on',
      () => readAlerts(),
      ([firstAlert]) => firstAlert?.['on'] === true,
    );
    const hourText = await service.publishNextHour(workbench, 'Pin Latest Stress');
    await workbench.notifications.waitFor(`Morning stress (Canned): Stress 0.72, high, ${hourText}.`);
    await workbench.notifications.press('Stress 0.72', 'Turn Off');
    await until(
      'the alert off',
      () => readAlerts(),
      ([firstAlert]) => firstAlert?.['on'] === false,
    );
  });

  it('stops refreshing with a rejected key, reports it once, and continues with another key', async () => {
    service.rejectStress(true);
    await service.publishNextHour(workbench, 'Unpin Latest Stress');
    await workbench.notifications.waitFor("The service rejected the key of 'Canned'. Hourly refresh is paused");
    const previousCount = service.stressRequests();
    service.rejectStress(false);
    await workbench.notifications.press('rejected the key', 'Enter Another Key');
    await workbench.quickInput.waitOpen('New Key for Canned');
    await workbench.quickInput.type('not-a-real-key-either');
    await workbench.quickInput.accept();
    // This hour's refresh has already run, so the query is refreshed in the next hour.
    await service.publishNextHour(workbench, 'Pin Latest Stress');
    await assertStressRequests(previousCount + 1);
  });

  it('reports once that the connection of a refresh was removed', async () => {
    await workbench.runCommand('Grid Data Connections: Remove…');
    await workbench.quickInput.pick('Canned');
    await workbench.notifications.pressInDialog('Remove');
    await workbench.notifications.waitFor("The connection 'Canned' was removed: 1 query no longer refreshes hourly.");
    await until(
      'no pinned stress',
      () => workbench.statusBar(),
      texts => !texts.some(text => text.includes('Stress')),
    );
  });

  async function assertStressRequests(count: number): Promise<void> {
    await until(
      `${count} requests for stress`,
      async () => Promise.resolve(service.stressRequests()),
      found => found >= count,
    );
    assert.equal(service.stressRequests(), count);
  }

  async function readAlerts(): Promise<Readonly<Record<string, unknown>>[]> {
    const reader = openPersonalStore(userDataDir);
    await reader.refresh();
    const query = allQueries(reader.tree()).find(({ id }) => id === 'morning');
    return (query?.alerts ?? []).map(alert => {
      const { id, ...rest } = alert;
      assert.notEqual(id, '');
      return rest;
    });
  }
});

function createSavedQuery(id: string, name: string, range: string): SavedQuery {
  return {
    kind: 'query',
    id,
    name,
    query: { dataset: 'gridStress', range, interval: '1h', params: {}, timeZone: 'UTC' },
  };
}
