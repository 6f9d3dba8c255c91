import { GridError } from '../../core/errors.ts';
import { jsonText } from '../../core/json/json.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** A cell that is a text, or has to be one. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return hexadecimal(value);
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return jsonText(plainJson(value, 0));
}

/** What the libraries make of nested cells, as JSON has it. Throws a GridError where it is nested too deep. */
function plainJson(value: unknown, depth: number): unknown {
  if (depth > tableLimits.nesting) throw new GridError('fileUnsupported');
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return null;
  if (value instanceof Uint8Array) return hexadecimal(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, item => plainJson(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainJson(item, depth + 1)]));
}

/** The first bytes of many. */
export function hexadecimal(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 10_000)).toString('hex');
}
