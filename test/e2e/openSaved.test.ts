import assert from 'node:assert/strict';
import type { SavedQuery } from '../../src/core/savedQueries/savedItem.ts';
import { pictureFailures } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { startMovingService, type MovingService } from './movingService.ts';
import { openSaved, personalHome } from './savedSupport.ts';
import { addConnection, messageOf, tableOf } from './support.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('a saved query in the sidebar', () => {
  let workbench: Workbench;
  let first: MovingService;
  let second: MovingService;
  const userDataDir = temporaryFolder();

  before(async () => {
    [first, second] = [await startMovingService(), await startMovingService()];
    await personalHome(userDataDir).edit(() => [
      saved('morning', 'Morning stress', { keepFresh: true, alerts: [{ id: 'a', kind: 'late', on: true }] }),
      saved('may', 'May', {}, '2023-05', 'Africa/Johannesburg'),
    ]);
    workbench = await startWorkbench({ userDataDir });
    await addConnection(workbench, first.baseUrl, 'not-a-real-key', 'Production');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    assert.equal(first.stressRequests(), 0, 'the query may be from another machine');
    const waiting = workbench.page.locator('[aria-label^="1 saved query is set to refresh hourly."]');
    await workbench.page.locator('.statusbar-item', { has: waiting }).locator('a').click();
    await workbench.quickInput.waitOpen('Allow Hourly Refresh');
    await workbench.quickInput.waitItem('Production · alerts: ');
    await workbench.quickInput.accept();
    await until(
      'the hourly refresh',
      async () => Promise.resolve(first.stressRequests()),
      found => found > 0,
    );
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await Promise.all([first.close(), second.close()]);
  });

  it('opens from the archive with a click, which sends nothing and leaves the focus in the list', async () => {
    await workbench.closeEditors();
    await openSaved(workbench);
    const before = first.stressRequests();
    await workbench.treeRow('Morning stress').click();
    await tableOf(workbench, 'Morning stress');
    await workbench.page.locator('.monaco-list:focus-within .monaco-list-row.focused').waitFor();
    await workbench.treeRow('May').click();
    await workbench.waitTab('May');
    const frame = await workbench.resultFrame('May');
    assert.match(await messageOf(frame, 'in the archive'), /Run the query to request it: it takes 1 request/);
    assert.equal(first.stressRequests(), before);
  });

  it('keeps its hourly refresh and alerts on their connection when another one is added, until they are moved', async () => {
    await addConnection(workbench, second.baseUrl, 'not-a-real-key', 'Test');
    const sentence = "Queries now use 'Test'. Hourly refresh of 1 query with 1 alert stays on 'Production'.";
    await workbench.notifications.waitFor(sentence);
    assert.equal(second.stressRequests(), 0);
    await workbench.notifications.press(sentence, "Move to 'Test'");
    await until(
      'the refresh over the other key',
      async () => Promise.resolve(second.stressRequests()),
      found => found > 0,
    );
  });
});

function saved(
  id: string,
  name: string,
  more: Partial<SavedQuery>,
  range = 'last 24 hours',
  timeZone = 'UTC',
): SavedQuery {
  const query = { dataset: 'gridStress', range, interval: '1h', params: {}, timeZone };
  return { kind: 'query', id, name, query, ...more };
}
