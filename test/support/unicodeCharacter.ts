import fc from 'fast-check';

/** The range of surrogate code points, which are not characters by themselves. */
const surrogatesStart = 0xd800;
const surrogatesEnd = 0xe000;

/**
 * Any Unicode character, as the unit of `fc.string`. Equivalent to the unit `binary`, which takes a second to list all characters when a
 * test file is loaded.
 */
export const unicodeCharacter = fc
  .integer({ min: 0, max: 0x10ffff - (surrogatesEnd - surrogatesStart) })
  .map(code => String.fromCodePoint(code < surrogatesStart ? code : code + surrogatesEnd - surrogatesStart), toCode);

function toCode(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value || (code >= surrogatesStart && code < surrogatesEnd))
    throw new Error('The value is not a character.');
  return code < surrogatesStart ? code : code - (surrogatesEnd - surrogatesStart);
}
