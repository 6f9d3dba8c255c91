import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';
import type { Connections } from '../../../../src/service/connections/connections.ts';
import type { PublicApiDeps } from '../../../../src/host/tools/publicApi.ts';

const { createPublicApi } = await import('../../../../src/host/tools/publicApi.ts');

const connection = { id: 'a', name: 'Grid' };
/** Throws an error that marks the argument as accepted. */
const accept = (): never => {
  throw Object.assign(new Error(), { reason: 'accepted' });
};
const api = createPublicApi({
  connections: {
    active: () => connection,
    findByName: (name: string) => (name.trim() === 'Grid' ? connection : undefined),
    list: () => [connection],
  } as unknown as Connections,
  engine: { run: accept },
  pricing: { computeTotalPrice: accept, getBudget: accept },
  nowAt: () => Date.UTC(2026, 10, 21),
  sessions: { run: accept },
} satisfies PublicApiDeps);

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('an error of the accessor');
    },
    getPrototypeOf: () => {
      throw new Error('an error of the accessor');
    },
    ownKeys: () => {
      throw new Error('an error of the accessor');
    },
  },
);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const unusualArguments: readonly unknown[] = [
  ...[null, 0, NaN, 7n, true, '', 'nothing', 'x'.repeat(1_000_000), Symbol.for('x'), [], [null], () => undefined],
  ...[
    {},
    { dataset: null },
    { dataset: 5, range: 'today' },
    Object.create(null) as unknown,
    new Date(NaN),
    hostile,
    revoked,
  ],
];
const query = { dataset: 'systemState', range: '2023-05-01' };
type Call = (...args: readonly unknown[]) => Promise<unknown>;

describe('the public API', () => {
  const {
    price,
    budget,
    query: runQuery,
    open,
  } = api as unknown as Record<'price' | 'budget' | 'query' | 'open', Call>;
  const validQuery = { dataset: 'systemState', start: 0, end: 3_600_000 };
  const calls: Readonly<Record<string, (value: unknown) => Promise<unknown>>> = {
    'price(value)': async value => price(value),
    'query(value)': async value => runQuery(value),
    'open(value)': async value => open(value),
    'budget(value)': async value => budget(value),
    'budget(dataset, value)': async value => budget('systemState', value),
    'query(query, value)': async value => runQuery(query, value),
    'open(query, value)': async value => open(query, value),
    'query(query, { signal: value })': async signal => runQuery(query, { signal }),
    'query(query, { refresh: value })': async refresh => runQuery(query, { refresh }),
    'open(query, { refresh: value })': async refresh => open(query, { refresh }),
    ...Object.fromEntries(
      ['dataset', 'range', 'interval', 'params', 'connection'].map(key => [
        `price({ ${key}: value })`,
        async (value: unknown) => price({ ...query, [key]: value }),
      ]),
    ),
    'price({ start: value })': async start => price({ ...validQuery, start }),
    'price({ end: value })': async end => price({ ...validQuery, end }),
  };
  for (const [name, call] of Object.entries(calls))
    it(`accepts an unusual argument, or rejects it with a reason and a message: ${name}`, async () => {
      const rejected = [];
      for (const value of unusualArguments) {
        const outcome = await call(value).then(
          () => assert.fail('The call resolved.'),
          (error: unknown) => error as { reason?: unknown; message: string },
        );
        if (outcome.reason === 'accepted') continue;
        assert.equal(outcome.reason, 'badInput', outcome.message);
        assert.match(outcome.message, /^\S.{10,500}\.$/);
        rejected.push(value);
      }
      for (const value of [null, true, Symbol.for('x'), revoked]) assert.ok(rejected.includes(value));
    });
});
