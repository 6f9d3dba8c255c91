/**
 * Identifies hours that belong together in the archive: by service (its origin rather than the key, because keys rotate; for a sandbox
 * the identity of its data), dataset, interval and additional parameters.
 */
export interface SeriesKey {
  readonly source: string;
  readonly dataset: string;
  readonly interval: string;
  readonly params: Readonly<Record<string, string>>;
}

const sandboxPrefix = 'sandbox ';

/** Returns the source of the hours of a sandbox with this identity. */
export function createSandboxSource(identity: string): string {
  return sandboxPrefix + identity;
}

export function isSandboxSource(source: string): boolean {
  return source.startsWith(sandboxPrefix);
}

/** Returns a text that is equal for equal series, regardless of the order of their parameters. */
export function getSeriesIdentity(series: SeriesKey): string {
  const params = Object.entries(series.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([series.source, series.dataset, series.interval, params]);
}
