import { oneLine } from '../core/inertText.ts';
import { redactKey } from './redact.ts';

const maxLength = 200;
/** No more of a body's words is looked at. */
const maxRead = 20_000;
const maxDepth = 4;

/**
 * The service's own words in an error body, fit to show: one line, at most 200 characters, never the key.
 * Knows `detail`, `error` and a dictionary of messages by field; undefined where the body says nothing.
 */
export function serverDetail(value: unknown, key: string): string | undefined {
  const words = isRecord(value) ? (sayings(value['detail'], 0) ?? sayings(value['error'], 0)) : undefined;
  const text = words ?? (typeof value === 'object' ? sayings(value, 0) : undefined);
  if (text === undefined) return undefined;
  const line = redactKey(oneLine(text.slice(0, maxRead)), key);
  return line === '' ? undefined : truncated(line);
}

function sayings(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
  const parts = Array.isArray(value)
    ? value.slice(0, 20).map(item => sayings(item, depth + 1))
    : Object.entries(value)
        .slice(0, 20)
        .map(([name, item]) => {
          const said = sayings(item, depth + 1);
          return said === undefined ? undefined : `${name}: ${said}`;
        });
  const said = parts.filter(part => part !== undefined);
  return said.length === 0 ? undefined : said.join('; ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function truncated(line: string): string {
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
