import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startVirtualReference, type VirtualReference } from '../../../support/referenceService.ts';
import { fakeService, gridStress, noon, range, systemState } from '../fakes.ts';

/** A time that is exact in seconds, as Python counts, and in milliseconds, as the sandbox counts. */
const intervalMs = 1_000 / 64;

const traffic = fc.array(
  fc.record({
    steps: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 64 * 6 }) },
      // The end of the window, and one step before and after it.
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
    const statusCounts = new Map<number, number>();
    const run = async (requests: typeof traffic extends fc.Arbitrary<infer T> ? T : never): Promise<void> => {
      // Starts a new window on both sides, because the reference has one history for all runs.
      began += 3_600_000;
      const sandbox = fakeService();
      sandbox.clock.advance(began - sandbox.clock.now());
      for (const { steps, path, query, method, withKey } of requests) {
        sandbox.clock.advance(steps * intervalMs);
        await reference.setClock(sandbox.clock.now());
        const keys = withKey === 'right' ? [sandbox.key, reference.key] : ['not-a-real-key', 'not-a-real-key'];
        const sandboxResponse = await sandbox.request(path + query, {
          method,
          key: withKey === 'none' ? undefined : keys[0],
        });
        const referenceResponse = await fetch(reference.baseUrl + path + query, {
          method,
          headers: withKey === 'none' ? {} : { 'x-api-key': keys[1] ?? '' },
        });
        statusCounts.set(referenceResponse.status, (statusCounts.get(referenceResponse.status) ?? 0) + 1);
        assert.deepEqual(await getResponseFacts(sandboxResponse), await getResponseFacts(referenceResponse));
      }
      began = sandbox.clock.now();
    };
    await fc.assert(fc.asyncProperty(traffic, run), { numRuns: 15, endOnFailure: true });
    for (const status of [200, 400, 401, 405, 429])
      assert.ok((statusCounts.get(status) ?? 0) > 10, `${status} came ${statusCounts.get(status) ?? 0} times`);
  });
});

/** Returns the parts of a response that a client depends on, without the data, which differs. */
async function getResponseFacts(response: Response) {
  const { detail, error } = (await response.json()) as { detail?: string; error?: string };
  const readHeader = (name: string) => response.headers.get(name);
  return { status: response.status, wait: readHeader('retry-after'), allow: readHeader('allow'), detail, error };
}
