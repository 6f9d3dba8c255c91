import fc from 'fast-check';

/** The code points between which the halves of surrogate pairs stand, which are no characters by themselves. */
const [halves, behindHalves] = [0xd800, 0xe000];

/**
 * Any character of Unicode, as the unit of `fc.string`. As its unit `binary`, which makes a list of all of them, in a second, when a
 * test file is loaded.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - (behindHalves - halves) })
  .map(code => String.fromCodePoint(code < halves ? code : code + behindHalves - halves), codeOf);

function codeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value || (code >= halves && code < behindHalves))
    throw new Error('This is no character.');
  return code < halves ? code : code - (behindHalves - halves);
}
