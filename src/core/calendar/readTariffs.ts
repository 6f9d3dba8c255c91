import * as v from 'valibot';
import { tariffDays, type Tariff } from '../../shared/resampling.ts';

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const hours = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${time}-(?:${time}|24:00)$`)),
  v.check(text => text.slice(0, 5) < text.slice(6)),
);
const hourRanges = v.exactOptional(v.pipe(v.array(hours), v.maxLength(24)));
const day = v.strictObject({ peak: hourRanges, standard: hourRanges });
const season = v.strictObject({ weekday: day, saturday: day, sunday: day });
const date = v.pipe(v.string(), v.isoDate(), v.check(isDate));

/** The schema of tariffs, in ascending order of their first days. */
export const tariffsSchema = v.pipe(
  v.array(
    v.strictObject({
      from: date,
      source: v.pipe(v.string(), v.maxLength(200)),
      highDemand: season,
      lowDemand: season,
      days: v.exactOptional(v.record(date, v.picklist(tariffDays))),
    }),
  ),
  v.maxLength(50),
  v.check(tariffs => tariffs.every(({ from }, index) => index === 0 || from > (tariffs[index - 1]?.from ?? ''))),
);

/**
 * Parses the tariffs of a setting. If they are invalid, `invalidAt` is the path of the first problem, such as `0.highDemand.sunday.peak`, or
 * empty if the whole value is invalid.
 */
export function parseTariffs(value: unknown): { readonly tariffs: readonly Tariff[] } | { readonly invalidAt: string } {
  const parsed = v.safeParse(tariffsSchema, value);
  if (parsed.success) return { tariffs: parsed.output };
  return { invalidAt: v.getDotPath(parsed.issues[0]) ?? '' };
}

/** Whether a date exists; 30 February doesn't. */
function isDate(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text);
}
