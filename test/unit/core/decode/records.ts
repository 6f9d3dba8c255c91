import fc from 'fast-check';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { decode } from '../../../../src/core/decode/decode.ts';
import type { Frame } from '../../../../src/shared/frame.ts';

export type Json = null | boolean | number | string | ExactNumber | readonly Json[] | { readonly [name: string]: Json };
export type JsonRecord = Readonly<Record<string, Json>>;

/** Few names are used, so that records share fields, and names collide once they are joined with dots. */
const name = fc.constantFrom(
  ...['a', 'b', 'a.b', '', 'ts', 'value', '__proto__', 'constructor', 'toString', '"a"."b"'],
);

const plainValues = [
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e-300, 1e21, 0.1 + 0.2),
  fc.string(),
  fc.constantFrom('', '=1+1', '-5', '+', '@x', 'a,"b"\r\nc', '\ud800', '0', 'null', 'true'),
  fc.constantFrom('2023-05-01T05:00:00Z', '2023-05-01T05:00:00.250Z', '2023-05-01 05:00+02:00', '2023-05-01T05:00:00'),
] as const;
const exactNumbers = fc.constantFrom(new ExactNumber('9007199254740993'), new ExactNumber('-0.12345678901234567890'));

/** Generates records of any shape. The leaves are the values that are neither lists nor objects. */
function arbitraryRecords(...leaves: readonly fc.Arbitrary<Json>[]): fc.Arbitrary<JsonRecord[]> {
  const { record } = fc.letrec<{ value: Json; record: JsonRecord }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      ...leaves,
      tie('record'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    // Object.fromEntries makes `__proto__` a field, as JSON.parse does.
    record: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(pairs => Object.fromEntries(pairs)),
  }));
  return fc.array(record, { maxLength: 6 });
}

export const recordsWithoutNull = arbitraryRecords(...plainValues);
export const recordsWithNull = arbitraryRecords(...plainValues, fc.constant(null));
export const recordsWithExact = arbitraryRecords(...plainValues, fc.constant(null), exactNumbers);

/**
 * A null where other records have an object becomes a null in each of that object's fields: a table has no other way to
 * show it. So an object whose fields are all null and the null itself are treated as equal. Nothing else does: an absent field
 * stays absent, `{}` stays `{}`, and within lists everything is exact.
 */
function spreadNullParents(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, spreadNullParents(member)]);
  const isNull = members.length > 0 && members.every(([, member]) => member === null);
  return isNull ? null : Object.fromEntries(members);
}

export function spreadNullParentsInRecords(records: readonly unknown[]): Json[] {
  // The record itself is not a field: if all its fields are null, it is still a record.
  return (records as JsonRecord[]).map(record =>
    Object.fromEntries(Object.entries(record).map(([key, member]) => [key, spreadNullParents(member)])),
  );
}

/** Decodes one response body, given as JSON. */
export function decodeFrame(body: unknown): Frame {
  const { frame } = decode([body]);
  if (!frame) throw new Error('no table');
  return frame;
}

export function decodeAndGenerate(body: unknown): unknown[] {
  return [...generateRecords(decodeFrame(body))];
}
