import type { Records, Stamp } from './records.ts';

const digits = 9;
/** Leaves room above: a damaged stamp must not use up all that can follow. */
const pattern = /^[0-9a-x][0-9a-z]{8}\.[0-9a-z]{1,16}$/;

export function isStamp(text: unknown): text is Stamp {
  return typeof text === 'string' && pattern.test(text);
}

/** A stamp later than all in the records. `now` in UTC milliseconds; `window` of up to 16 letters and digits. */
export function nextStamp(records: Records, now: number, window: string): Stamp {
  let latest = '';
  for (const { fields, gone } of records.values()) {
    for (const { stamp } of fields.values()) if (stamp > latest) latest = stamp;
    for (const stamp of gone?.seen.values() ?? []) if (stamp > latest) latest = stamp;
  }
  const known = latest === '' ? 0 : parseInt(latest.slice(0, digits), 36);
  const stamp = `${Math.max(known + 1, Math.floor(now))
    .toString(36)
    .padStart(digits, '0')}.${window}`;
  if (!isStamp(stamp)) throw new RangeError('a window is named by up to 16 letters and digits');
  return stamp;
}
