import { hostileTexts } from './texts.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

/** JSON values that a damaged or manipulated store may return. */
export const hostileValues: readonly { readonly name: string; readonly value: unknown }[] = [
  { name: 'null', value: null },
  { name: 'true', value: true },
  ...[0, -1, 0.5, 1e-300, 1e308, -1e308, 2 ** 53].map(value => ({ name: `the number ${value}`, value })),
  { name: 'the empty text', value: '' },
  { name: 'a text of 1 MB', value: 'x'.repeat(1e6) },
  ...hostileTexts.map(({ name, text }) => ({ name: `a text with ${name}`, value: text.slice(0, 1e6) })),
  { name: 'the empty list', value: [] },
  { name: 'the empty object', value: {} },
  { name: 'a list of nulls', value: Array(10_000).fill(null) },
  { name: 'lists in lists', value: nested(3_000) },
  { name: 'an object with the length of a list', value: { length: 1e9 } },
  {
    name: 'an object with a part of a prototype',
    value: JSON.parse('{"__proto__":{"on":true},"constructor":1,"toString":1}'),
  },
  { name: '20,000 fields', value: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, n])) },
];
