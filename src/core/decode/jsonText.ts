import { ExactNumber } from '../json.ts';

/** JSON text of a parsed value, with exact numbers as their own digits (JSON.stringify has no way to say that). */
export function jsonText(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(item => jsonText(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
    return `{${members.join(',')}}`;
  }
  // JSON.stringify writes -0 as 0; the service's sign is kept.
  if (Object.is(value, -0)) return '-0';
  return JSON.stringify(value);
}
