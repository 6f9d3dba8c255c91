import assert from 'node:assert/strict';
import { decode, recordsToFrame } from '../../src/core/decode/decode.ts';
import { describeFields } from '../../src/core/frame/describeFields.ts';
import { datasets } from '../../src/core/query/catalogue.ts';
import { listAlertFields } from '../../src/core/watch/alert.ts';
import { startSandbox } from '../../src/sandbox/embedded.ts';
import type { Limiter } from '../../src/service/limiter/limiter.ts';
import { computePrice } from '../../src/service/query/requestPricing.ts';
import { GridWorld, enterGate } from './service/gridWorld.ts';

/** Adding a dataset or a field to the catalogue must be enough. Export formats, languages and charts have similar tests. */
describe('each entry of the catalogue', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(async () => sandbox.close());

  for (const { id, path, fields, sandboxFields = fields, intervals } of datasets) {
    it(`${id} has a price, hours at the sandbox's route in its scope, and a path in the service description`, async () => {
      const world = new GridWorld('2023-06-01T12:00:00Z');
      const query = world.query('2023-05-01', id);
      const unknown = {
        nextSlotInMs: undefined,
        blockedUntil: undefined,
        refusal: undefined,
      };
      const none = { lastStartsInMs: 0, nextFreeInMs: 0, waiting: 0 };
      const getBudget: Limiter['budget'] = async (_, { requests }) =>
        Promise.resolve({ ...unknown, ...none, allowed: requests, left: requests });
      assert.deepEqual(await computePrice({ budget: getBudget }, 1, query, world.endpoint), {
        requests: 1,
        now: 1,
        waitMs: 0,
      });

      const headers = { 'x-api-key': sandbox.createKey('one').value };
      const runner = world.window({
        fetcher: {
          async fetch({ dataset, start, end, interval }, _, options = {}) {
            assert.ok(await enterGate(options));
            const parameters = new URLSearchParams({ start: formatIso(start), end: formatIso(end), interval });
            const response = await fetch(`${sandbox.baseUrl}${dataset.path}?${parameters.toString()}`, { headers });
            assert.equal(response.status, 200);
            const decoded = decode([await response.json()]);
            const times = { respondedAt: world.now, sentAt: world.now, headAt: world.now };
            return { decoded, bodies: [], traces: [], requestsSpent: 1, incomplete: false, ...times };
          },
        },
      });
      const { frame, coverage } = await runner.run(query, world.endpoint);
      assert.deepEqual([frame?.rowCount, coverage?.missing], [24, 0]);
      const fieldByColumn = new Map(frame?.columns.map(({ name, field }) => [name, field]));
      for (const [name, { only }] of sandboxFields)
        assert.ok(fieldByColumn.get(name) ?? (only === 'days' || name.includes('.')), name);
      const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as { paths: object };
      assert.ok(path in document.paths);
    });

    it(`${id} describes its fields by unit and label without a value`, () => {
      for (const [name, field] of fields) {
        if (!field.unit || name.includes('.')) continue;
        const [column] = describeFields(recordsToFrame([{ [name]: null }]), fields).columns;
        assert.deepEqual([column?.kind, column?.field], ['number', field], name);
        const alertFieldNames = intervals.flatMap(interval =>
          listAlertFields(id, interval).map(alertField => alertField.name),
        );
        assert.ok(alertFieldNames.includes(name), name);
      }
    });
  }
});

function formatIso(ms: number): string {
  return new Date(ms).toISOString();
}
