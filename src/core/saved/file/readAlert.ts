import * as v from 'valibot';
import { ruleText, type Alert } from '../../watch/alert.ts';
import { alertSchema } from '../records/fields.ts';

/** An alert as written in a file: without `on` it is on; a snooze ends at an instant in ISO 8601. */
export function readAlert(written: unknown, taken: ReadonlySet<string>): Alert | undefined {
  if (typeof written !== 'object' || written === null) return undefined;
  const { id, snoozedUntil, ...rest } = written as Record<string, unknown>;
  const until = typeof snoozedUntil === 'string' ? Date.parse(snoozedUntil) : undefined;
  const parsed = v.safeParse(alertSchema, {
    on: true,
    ...rest,
    ...(until !== undefined && { snoozedUntil: until }),
  });
  if (!parsed.success) return undefined;
  const wanted = typeof id === 'string' && id !== '' ? id : ruleText(parsed.output);
  return { id: firstFree(wanted, taken), ...parsed.output };
}

/** The reverse; the field order is that of the schema. */
export function writtenAlert({ id, on, snoozedUntil, ...rule }: Alert): Record<string, unknown> {
  return {
    ...rule,
    ...(!on && { on }),
    ...(snoozedUntil !== undefined && { snoozedUntil: new Date(snoozedUntil).toISOString() }),
    // One that says what the alert waits for is made again at the next reading.
    ...(id !== ruleText(rule) && { id }),
  };
}

function firstFree(id: string, taken: ReadonlySet<string>): string {
  let n = 1;
  while (taken.has(n === 1 ? id : `${id} ${n}`)) n += 1;
  return n === 1 ? id : `${id} ${n}`;
}
