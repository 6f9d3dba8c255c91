/**
 * What hours belong together in the archive: the service (its origin, not the key: keys rotate, hours stay; the sandbox
 * by the identity of its data), the dataset, the interval and the extra parameters.
 */
export interface SeriesKey {
  readonly source: string;
  readonly dataset: string;
  readonly interval: string;
  readonly params: Readonly<Record<string, string>>;
}

const sandboxPrefix = 'sandbox ';

/** The source of hours that a sandbox of this identity serves. */
export function sandboxSource(identity: string): string {
  return sandboxPrefix + identity;
}

export function isSandboxSource(source: string): boolean {
  return source.startsWith(sandboxPrefix);
}

/** One text a series; equal for equal series whatever the order of their parameters. */
export function seriesIdentity(series: SeriesKey): string {
  const params = Object.entries(series.params).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([series.source, series.dataset, series.interval, params]);
}
