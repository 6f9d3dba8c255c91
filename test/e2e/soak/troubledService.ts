import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { FaultRule } from '../../../src/sandbox/faults/faultRules.ts';
import { scopes } from '../../../src/sandbox/keys/scopes.ts';
import { startStandIn } from '../harness/standIn.ts';
import type { Draw } from './draw.ts';

const rule = (kind: FaultRule['kind'], rate: number, amount = 0): FaultRule => ({
  kind,
  rate,
  amount,
  scope: undefined,
});

/** What the service suffers from for a while; most of the time from nothing. */
const troubles: readonly (readonly FaultRule[])[] = [
  ...[[], [], []],
  [rule('latency', 0.6, 2_500)],
  [rule('error', 0.5, 500)],
  [rule('error', 0.7, 503)],
  [rule('html', 0.5, 502)],
  [rule('storm', 0.3, 5)],
  [rule('reset', 0.5)],
  [rule('truncate', 0.4), rule('latency', 0.5, 800)],
  [rule('late', 1, 6)],
  [rule('holes', 1, 15), rule('reset', 0.2)],
];

export type TroubledService = Awaited<ReturnType<typeof startTroubledService>>;

/** A service with good days and bad ones, which counts each request by the rules of Django, to a rolling minute for each scope and key. */
export async function startTroubledService(seed: number) {
  const sandbox = await startSandbox({ seed, faults: [] });
  // What a person types may name the documented service: that is another one here, whose keys are others.
  const elsewhere = await startSandbox({ seed, faults: [] });
  const standIn = await startStandIn(elsewhere.baseUrl);
  let key = sandbox.createKey('soak');
  return {
    baseUrl: sandbox.baseUrl,
    env: standIn.env,
    key: () => key.value,
    /** Changes what goes wrong from now on; says what. */
    change(draw: Draw): string {
      const rules = draw.of(troubles);
      sandbox.faults?.set(rules);
      return rules.map(({ kind, rate, amount }) => `${kind}=${amount}@${rate}`).join() || 'no trouble';
    },
    calm: () => sandbox.faults?.set([]),
    /** Ends the key; another one takes its place, which somebody has to enter. */
    revoke(): void {
      sandbox.keys.revoke(key.prefix);
      key = sandbox.createKey('soak');
    },
    /** Requests beyond the limit in any rolling minute, by key and scope. */
    beyondLimit: () =>
      sandbox.keys
        .list()
        .flatMap(({ prefix }) =>
          scopes.map(scope => [scope, sandbox.usage.of(prefix)[scope].lastHour.refused] as const),
        )
        .filter(([, refused]) => refused > 0),
    accepted: () =>
      sandbox.keys
        .list()
        .flatMap(({ prefix }) => scopes.map(scope => sandbox.usage.of(prefix)[scope].lastHour.accepted))
        .reduce((sum, count) => sum + count, 0),
    met: () => sandbox.faults?.met ?? {},
    close: async (): Promise<void> => {
      await standIn.close();
      await elsewhere.close();
      await sandbox.close();
    },
  };
}
