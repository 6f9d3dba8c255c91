/** An encoding of a key that a reader can decode but a search for the key does not find. */
interface KeySpelling {
  readonly name: string;
  /** Encodes the key for the inside of a JSON string. */
  readonly inJson: (key: string) => string;
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const encodeCharacters = (key: string, write: (code: string, character: string) => string): string =>
  Array.from(key, character => write(character.charCodeAt(0).toString(16).padStart(2, '0'), character)).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const insertInto = (key: string, between: string): string => key.slice(0, 9) + between + key.slice(9);

/** All characters that Unicode defines as ignorable for display. */
export const ignorableCharacters: readonly string[] = Array.from({ length: 0x110000 }, (_, code) =>
  code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code),
).filter(character => /^\p{Default_Ignorable_Code_Point}$/u.test(character));

export const keySpellings: readonly KeySpelling[] = [
  { name: 'plain', inJson: json },
  {
    name: 'one character as \\u',
    inJson: key => `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}`,
  },
  { name: 'every character as \\u', inJson: key => encodeCharacters(key, code => `\\u00${code}`) },
  {
    name: 'every character as \\U in capitals',
    inJson: key => encodeCharacters(key, code => `\\u00${code.toUpperCase()}`),
  },
  { name: 'percent', inJson: key => encodeCharacters(key, code => `%${code}`) },
  { name: 'percent in capitals', inJson: key => encodeCharacters(key, code => `%${code.toUpperCase()}`) },
  { name: 'percent, partly', inJson: key => key.replaceAll('_', '%5F') },
  {
    name: 'percent, among bytes that are not valid UTF-8',
    inJson: key => `%ff${encodeCharacters(key, code => `%${code}`)}%fe`,
  },
  { name: 'base64', inJson: base64 },
  { name: 'base64, slashes escaped', inJson: key => base64(`>?>?${key}`).replaceAll('/', '\\/') },
  { name: 'base64, plus signs escaped', inJson: key => base64(`>>>?${key}`).replaceAll('+', '\\u002b') },
  { name: 'base64 of a name and the key', inJson: key => base64(`u:${key}`) },
  { name: 'base64 of a longer name and the key', inJson: key => base64(`me:${key}:`) },
  { name: 'base64url', inJson: key => Buffer.from(`>>?${key}`).toString('base64url') },
  { name: 'base64, percent-encoded', inJson: key => encodeURIComponent(base64(`>>?${key}`)) },
  { name: 'split by zero-width characters', inJson: key => key.replace(/./g, '$&\u200b') },
  { name: 'split by escaped zero-width characters', inJson: key => key.replace(/./g, '$&\\u200B') },
  { name: 'split by zero-width characters in percent', inJson: key => key.replace(/./g, '$&%E2%80%8B') },
  { name: 'split by an escaped tag character', inJson: key => insertInto(key, '\\udb40\\udc01') },
  { name: 'split by NUL', inJson: key => key.replace(/./g, '$&\\u0000') },
  { name: 'split by an escaped backspace', inJson: key => insertInto(key, '\\b') },
  { name: 'split in percent', inJson: key => encodeCharacters(key, code => `%${code}\u061c`) },
  { name: 'split in base64', inJson: key => base64(key).replace(/./g, '$&\u{e0001}') },
  { name: 'after a backslash', inJson: key => `\\\\${key}` },
];

/** Lists all texts from which a user, a program or a model could read the key. None of them may appear in output. */
export function listSpellings(key: string): string[] {
  const base64Parts = ['', 'u', 'me'].map(name => base64(`${name}${name && ':'}${key}`.slice(0, -1)));
  return [
    ...[key, key.replace(/./g, '$&\0'), key.replace(/./g, '$&\u200b')],
    ...base64Parts.map(text => text.replace(/=+$/, '').slice(4, -4)),
    ...keySpellings.map(({ inJson }) => inJson(key)),
    // A text may be cut in the middle of the key.
    key.slice(9),
  ];
}

/** Finds the spellings of a key in a text. */
export function findSpellings(text: string, key: string): string[] {
  return listSpellings(key).filter(spelling => text.includes(spelling));
}
