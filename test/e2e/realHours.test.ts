import assert from 'node:assert/strict';
import { startReferenceService, type ReferenceService } from '../support/referenceService.ts';
import { disposeAfter } from './harness/failures.ts';
import type { Workbench } from './harness/workbench.ts';
import { addConnection, readHeader, readRow, runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

describe('historical hours from another implementation', () => {
  let workbench: Workbench | undefined;
  let service: ReferenceService | undefined;

  before(async function () {
    const started = await startReferenceService();
    if (typeof started === 'string') {
      console.log(`    skipped: ${started}`);
      this.skip();
    }
    service = started;
    workbench = await getSharedWorkbench('Reference');
  });
  disposeAfter(() => [workbench, service]);

  it('shows January 2023 by the hour: 744 rows, rounded to whole MW', async () => {
    assert.ok(workbench && service);
    await addConnection(workbench, service.baseUrl, service.key, 'Reference');
    // The service's hours end in 2024, so the key works but the last 24 hours are empty.
    await workbench.waitTab('last 24 hours');
    await runSystemState(workbench, '2023-01');
    const frame = await waitForTable(workbench, 'System state · 2023-01 · hourly');
    assert.match(
      await readHeader(frame),
      /Reference · System state · 1 Jan 2023 00:00 – 1 Feb 2023 00:00 UTC · hourly · 744 rows · 1 request/,
    );
    const [hour, residualDemand] = await readRow(frame, 0);
    assert.equal(hour, '01 Jan 00:00');
    assert.equal(residualDemand, '18,237');
  });
});
