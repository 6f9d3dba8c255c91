import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startVirtualReference, type VirtualReference } from '../../../support/referenceService.ts';
import { fakeService, gridStress, noon, range, systemState } from '../fakes.ts';

/** Times that a binary fraction of a second holds exactly: Python counts in seconds, the sandbox in milliseconds. */
const stepMs = 1_000 / 64;

const traffic = fc.array(
  fc.record({
    steps: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 64 * 6 }) },
      // The very end of the window, and one step beside it.
      { weight: 1, arbitrary: fc.integer({ min: 64 * 60 - 1, max: 64 * 60 + 1 }) },
    ),
    path: fc.constantFrom(systemState, gridStress),
    query: fc.constantFrom(range(noon - 7_200_000, noon), ''),
    method: fc.constantFrom('GET', 'GET', 'POST'),
    withKey: fc.constantFrom('right', 'right', 'right', 'right', 'wrong', 'none'),
  }),
  { minLength: 60, maxLength: 60 },
);

describe("sandbox beside Django REST framework's own throttle", () => {
  let reference: VirtualReference;
  let began = Date.UTC(2026, 0, 1);

  before(async function () {
    const started = await startVirtualReference(began);
    if (typeof started === 'string') {
      console.log(`      (${started})`);
      this.skip();
    }
    reference = started;
  });
  after(async () => (reference as VirtualReference | undefined)?.close());

  it('returns the same statuses, waits and texts for the same random traffic', async () => {
    const seen = new Map<number, number>();
    const run = async (requests: typeof traffic extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
      // A fresh window on both sides: the reference has one history for all runs.
      began += 3_600_000;
      const sandbox = fakeService();
      sandbox.clock.advance(began - sandbox.clock.now());
      for (const { steps, path, query, method, withKey } of requests) {
        sandbox.clock.advance(steps * stepMs);
        await reference.setClock(sandbox.clock.now());
        const keys = withKey === 'right' ? [sandbox.key, reference.key] : ['not-a-real-key', 'not-a-real-key'];
        const ours = await sandbox.request(path + query, { method, key: withKey === 'none' ? undefined : keys[0] });
        const theirs = await fetch(reference.baseUrl + path + query, {
          method,
          headers: withKey === 'none' ? {} : { 'x-api-key': keys[1] ?? '' },
        });
        seen.set(theirs.status, (seen.get(theirs.status) ?? 0) + 1);
        assert.deepEqual(await said(ours), await said(theirs));
      }
      began = sandbox.clock.now();
    };
    await fc.assert(fc.asyncProperty(traffic, run), { numRuns: 15, endOnFailure: true });
    for (const status of [200, 400, 401, 405, 429])
      assert.ok((seen.get(status) ?? 0) > 10, `${status} came ${seen.get(status) ?? 0} times`);
  });
});

/** What a client goes by, without the data, which is another one's. */
async function said(response: Response) {
  const { detail, error } = (await response.json()) as { detail?: string; error?: string };
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, wait: header('retry-after'), allow: header('allow'), detail, error };
}
