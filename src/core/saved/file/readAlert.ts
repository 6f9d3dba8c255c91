import * as v from 'valibot';
import { ruleText, type Alert } from '../../watch/alert.ts';
import { takeFree } from '../names.ts';
import { alertSchema } from '../records/fields.ts';

/**
 * Reads alerts as written in a file: without `on` one is on; a snooze ends at an instant in ISO 8601. Undefined for one that is not
 * understood; the others have an id each.
 */
export function readAlerts(written: readonly unknown[]): (Alert | undefined)[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return written.map(one =>
    readAlert(one, wanted => takeFree(n => (n === 1 ? wanted : `${wanted} ${n}`), taken, numbers)),
  );
}

function readAlert(written: unknown, freeId: (wanted: string) => string): Alert | undefined {
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
  return { id: freeId(wanted), ...parsed.output };
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
