import { hourMs } from '../../shared/durations.ts';
import { endpoints } from '../server/endpoints.ts';
import { describeFault, faultKinds } from '../faults/faultRules.ts';
import type { FaultInjector } from '../faults/faultInjector.ts';
import type { KeyInfo, KeyRing } from '../keys/keyRing.ts';
import { scopes, type Limits } from '../keys/scopes.ts';
import type { UsageMeter } from '../keys/usage.ts';
import type { ViewParts } from '../server/view.ts';
import type { DashboardState, KeyChart, ListedFault, ListedKey, ServedData } from './shape.ts';

/** What the dashboard shows and changes: data, keys and limits. */
export interface DashboardSource extends ViewParts {
  readonly keys: KeyRing;
  /** The requests of each key in the last hour. */
  readonly usage: UsageMeter;
  /** Of keys that have none of their own. */
  readonly limits: Limits;
  /** The length of the rolling window in which they hold. */
  readonly windowMs: number;
  /** Only where faults may be switched on. */
  readonly faults: FaultInjector | undefined;
}

/** The most keys in the list: counting an hour of each takes time. */
const mostListed = 200;
/** The range of the chart. */
export const chartSeconds = 300;
/** The usage meter covers an hour, of which the chart needs a window before its first second. */
const longestWindowSeconds = 3_600 - chartSeconds;

/** The state of the page, with the chart of the key with that prefix, otherwise of the one used last. */
export function dashboardState(parts: DashboardSource, chartOf: string | undefined): DashboardState {
  const all = parts.keys.list();
  const usable = all.filter(({ revoked }) => !revoked);
  // The newest first; revoked ones behind all others.
  const listed = [...usable.toReversed(), ...all.filter(({ revoked }) => revoked).toReversed()].slice(0, mostListed);
  const charted = listed.find(({ prefix }) => prefix === chartOf) ?? lastUsedOf(listed);
  return {
    windowMs: parts.windowMs,
    limits: parts.limits,
    keys: listed.map(key => listedKey(key, parts)),
    unlisted: all.length - listed.length,
    ...(charted && { chart: chartOfKey(charted, parts) }),
    data: servedData(parts),
    ...(parts.faults && { faults: listedFaults(parts.faults) }),
  };
}

function lastUsedOf(keys: readonly KeyInfo[]): KeyInfo | undefined {
  const [first, ...others] = keys;
  return others.reduce((best, key) => ((key.lastUsed ?? 0) > (best?.lastUsed ?? 0) ? key : best), first);
}

function listedKey(key: KeyInfo, { usage, limits }: DashboardSource): ListedKey {
  const { name, prefix, created, lastUsed, revoked } = key;
  return {
    name,
    prefix,
    created,
    revoked,
    scopes: key.scopes,
    limits: { ...limits, ...key.limits },
    ownLimits: key.limits,
    usage: usage.of(prefix),
    ...(lastUsed !== undefined && { lastUsed }),
  };
}

function chartOfKey(key: KeyInfo, { usage, limits, windowMs }: DashboardSource): KeyChart {
  const limitSeconds = Math.ceil(windowMs / 1000);
  const windowSeconds = limitSeconds <= longestWindowSeconds ? limitSeconds : 60;
  return {
    prefix: key.prefix,
    scopes: scopes
      .filter(scope => key.scopes.includes(scope))
      .map(scope => {
        const { [scope]: limit = limits[scope] } = key.limits;
        const { accepted, refused } = usage.history(key.prefix, scope, chartSeconds + windowSeconds);
        return {
          scope,
          limit,
          limitSeconds,
          windowSeconds,
          accepted: rollingSums(accepted, windowSeconds).slice(-chartSeconds),
          refused: refused.slice(-chartSeconds),
        };
      }),
  };
}

/** For each place the sum of the `length` counts that end there. */
function rollingSums(counts: readonly number[], length: number): number[] {
  let sum = 0;
  return counts.map((count, index) => (sum += count - (counts[index - length] ?? 0)));
}

function servedData({ source, publication }: ViewParts): ServedData {
  return {
    identity: source.identity,
    kind: source.kind,
    note: source.note,
    endpoints: endpoints.map(({ title, path, scope, intervals }) => ({ title, path, scope, intervals })),
    start: source.firstHour * hourMs,
    publishedEnd: publication.endHour(source) * hourMs,
    ...(Number.isFinite(source.endHour) && { end: source.endHour * hourMs }),
    now: publication.now,
    standsStill: publication.standsStill,
    delayHours: publication.delayHours,
    holes: publication.holes.size,
  };
}

function listedFaults(board: FaultInjector): readonly ListedFault[] {
  return board.rules.map(rule => ({
    rule: describeFault(rule),
    meaning: faultKinds[rule.kind].meaning,
    rate: rule.rate,
    ...(rule.scope && { scope: rule.scope }),
    met: board.met[rule.kind] ?? 0,
  }));
}
