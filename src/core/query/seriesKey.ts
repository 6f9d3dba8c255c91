/**
 * Identifies hours that belong together in the archive: by service (its origin, not the key, since keys rotate; for a sandbox the identity
 * of its data), dataset, interval and extra parameters.
 */
export interface SeriesKey {
  readonly source: string;
  readonly dataset: string;
  readonly interval: string;
  readonly params: Readonly<Record<string, string>>;
}

const sandboxPrefix = 'sandbox ';

/** The source of the hours of a sandbox with this identity. */
export function sandboxSource(identity: string): string {
  return sandboxPrefix + identity;
}

export function isSandboxSource(source: string): boolean {
  return source.startsWith(sandboxPrefix);
}

/** A text that is equal for equal series, whatever the order of their parameters. */
export function seriesIdentity(series: SeriesKey): string {
  const params = Object.entries(series.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([series.source, series.dataset, series.interval, params]);
}
