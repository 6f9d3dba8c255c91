import { tableLimits } from '../../shared/tableLimits.ts';
import { ExactNumber } from '../json.ts';
import { TableLimitError } from './tableLimitError.ts';

/**
 * JSON text of a parsed value, with exact numbers as their own digits (JSON.stringify has no way to say that). Throws TableLimitError
 * where it is nested too deep, which is long before the stack ends: every thread has another.
 */
export function jsonText(value: unknown, depth = 0): string {
  if (depth > tableLimits.nesting) throw new TableLimitError('nestedTooDeep');
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(item => jsonText(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${jsonText(member, depth + 1)}`,
    );
    return `{${members.join(',')}}`;
  }
  // JSON.stringify writes -0 as 0; the service's sign is kept.
  if (Object.is(value, -0)) return '-0';
  return JSON.stringify(value);
}
