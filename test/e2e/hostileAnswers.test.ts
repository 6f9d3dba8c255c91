import assert from 'node:assert/strict';
import { hostileAnswers } from '../hostile/answers.ts';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { pictureFailures } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, sharedWorkbench } from './support.ts';

describe('a service with a hostile answer', () => {
  let workbench: Workbench | undefined;
  let service: CannedService | undefined;

  before(async () => {
    const body = hostileAnswers.find(({ shown }) => shown === 'tooManyCells')?.body();
    assert.ok(body);
    service = await startCannedService((_, response) => sendJson(response, 200, body));
    workbench = await sharedWorkbench('Hostile');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench?.dispose();
    await service?.close();
  });

  it('shows a hostile answer as text, with one sentence', async () => {
    assert.ok(workbench && service);
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Hostile');
    const title = 'System state · last 24 hours · hourly';
    await workbench.waitTab(title);
    const frame = await workbench.resultFrame(title);
    const sentence = 'The response has more than 4,000,000 cells, so only its JSON is shown.';
    await frame.locator('.raw-note', { hasText: sentence }).waitFor();
    await frame.locator('.json pre', { hasText: '"c0": 1' }).first().waitFor();
    await frame.locator('#tab-table').click();
    await frame.locator('.message', { hasText: sentence }).waitFor();
  });
});
