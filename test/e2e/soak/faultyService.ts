import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { FaultRule } from '../../../src/sandbox/faults/faultRules.ts';
import { scopes } from '../../../src/sandbox/keys/scopes.ts';
import { startStandIn } from '../harness/standIn.ts';
import type { RandomChoices } from './randomChoices.ts';

const createRule = (kind: FaultRule['kind'], rate: number, amount = 0): FaultRule => ({
  kind,
  rate,
  amount,
  scope: undefined,
});

/** The sets of faults that the service can have; some are empty. */
const faultSets: readonly (readonly FaultRule[])[] = [
  ...[[], [], []],
  [createRule('latency', 0.6, 2_500)],
  [createRule('error', 0.5, 500)],
  [createRule('error', 0.7, 503)],
  [createRule('html', 0.5, 502)],
  [createRule('storm', 0.3, 5)],
  [createRule('reset', 0.5)],
  [createRule('truncate', 0.4), createRule('latency', 0.5, 800)],
  [createRule('late', 1, 6)],
  [createRule('holes', 1, 15), createRule('reset', 0.2)],
];

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;

/** Starts a service with changing faults, which limits requests like Django: in a rolling minute for each scope and key. */
export async function startFaultyService(seed: number) {
  const sandbox = await startSandbox({ seed, faults: [] });
  // Random input may name the documented service, which is redirected to a separate sandbox with other keys.
  const otherSandbox = await startSandbox({ seed, faults: [] });
  const standIn = await startStandIn(otherSandbox.baseUrl);
  let currentKey = sandbox.createKey('soak');
  return {
    baseUrl: sandbox.baseUrl,
    env: standIn.env,
    key: () => currentKey.value,
    /** Picks new faults. Returns their description. */
    changeFaults(random: RandomChoices): string {
      const rules = random.pick(faultSets);
      sandbox.faults?.set(rules);
      return rules.map(({ kind, rate, amount }) => `${kind}=${amount}@${rate}`).join() || 'no faults';
    },
    clearFaults: () => sandbox.faults?.set([]),
    /** Revokes the key and creates a new one, which has to be entered. */
    revoke(): void {
      sandbox.keys.revoke(currentKey.prefix);
      currentKey = sandbox.createKey('soak');
    },
    /** Lists the scopes with requests beyond the limit in any rolling minute. */
    listRefusals: () =>
      sandbox.keys
        .list()
        .flatMap(({ prefix }) =>
          scopes.map(scope => [scope, sandbox.usage.getUsage(prefix)[scope].lastHour.refused] as const),
        )
        .filter(([, refused]) => refused > 0),
    countAccepted: () =>
      sandbox.keys
        .list()
        .flatMap(({ prefix }) => scopes.map(scope => sandbox.usage.getUsage(prefix)[scope].lastHour.accepted))
        .reduce((sum, count) => sum + count, 0),
    countFaults: () => sandbox.faults?.metCounts ?? {},
    close: async (): Promise<void> => {
      await standIn.close();
      await otherSandbox.close();
      await sandbox.close();
    },
  };
}
