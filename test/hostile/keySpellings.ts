/** A way to write a key so that a reader finds it and a search for the key does not. */
export interface KeySpelling {
  readonly name: string;
  /** As it stands between the quotes of a JSON text. */
  readonly inJson: (key: string) => string;
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const each = (key: string, write: (code: string, character: string) => string): string =>
  Array.from(key, character => write(character.charCodeAt(0).toString(16).padStart(2, '0'), character)).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const halved = (key: string, between: string): string => key.slice(0, 9) + between + key.slice(9);

const bytes = (key: string, base = 16): string[] => Array.from(Buffer.from(key), byte => byte.toString(base));
const utf16 = (key: string): Buffer => Buffer.from(key, 'utf16le');
const utf16be = (key: string): Buffer => utf16(key).swap16();
const inCapitals = (_: unknown, index: number): boolean => index % 3 === 0;
const mixed = (hex: string): string =>
  Array.from(hex, (digit, index) => (inCapitals(digit, index) ? digit.toUpperCase() : digit)).join('');
/** The names of HTML for what is no letter or digit in a key. */
const named: Readonly<Record<string, string>> = {
  _: 'lowbar',
  '-': 'hyphen',
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
  '.': 'period',
};

export const keySpellings: readonly KeySpelling[] = [
  { name: 'plain', inJson: json },
  {
    name: 'one character as \\u',
    inJson: key => `\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}`,
  },
  { name: 'every character as \\u', inJson: key => each(key, code => `\\u00${code}`) },
  { name: 'every character as \\U in capitals', inJson: key => each(key, code => `\\u00${code.toUpperCase()}`) },
  { name: 'JSON in JSON', inJson: key => json(`{"key":"${each(key, code => `\\u00${code}`)}"}`) },
  { name: 'JSON in JSON in JSON', inJson: key => json(json(`{"key":"${each(key, code => `\\u00${code}`)}"}`)) },
  { name: 'its backslash as \\u', inJson: key => each(key, code => `\\u005cu00${code}`) },
  { name: '\\x', inJson: key => each(key, code => `\\\\x${code}`) },
  { name: 'percent', inJson: key => each(key, code => `%${code}`) },
  { name: 'percent in capitals', inJson: key => each(key, code => `%${code.toUpperCase()}`) },
  { name: 'percent, partly', inJson: key => key.replaceAll('_', '%5F') },
  { name: 'percent, three times', inJson: key => each(key, code => `%2525${code}`) },
  { name: 'percent in \\u', inJson: key => each(key, code => `\\u0025${code}`) },
  { name: 'hex', inJson: key => Buffer.from(key).toString('hex') },
  { name: 'hex in capitals', inJson: key => Buffer.from(key).toString('hex').toUpperCase() },
  { name: 'base64', inJson: base64 },
  { name: 'base64, slashes escaped', inJson: key => base64(`>?>?${key}`).replaceAll('/', '\\/') },
  { name: 'base64, plus signs escaped', inJson: key => base64(`>>>?${key}`).replaceAll('+', '\\u002b') },
  { name: 'base64 of a name and the key', inJson: key => base64(`u:${key}`) },
  { name: 'base64 of a longer name and the key', inJson: key => base64(`me:${key}:`) },
  { name: 'base64 in lines', inJson: key => base64(key).replace(/.{12}/g, '$&\\r\\n') },
  { name: 'base64url', inJson: key => Buffer.from(`>>?${key}`).toString('base64url') },
  { name: 'base64 in percent', inJson: key => encodeURIComponent(base64(`>>?${key}`)) },
  { name: 'HTML, decimal', inJson: key => Array.from(key, character => `&#${character.charCodeAt(0)};`).join('') },
  { name: 'HTML, hexadecimal', inJson: key => each(key, code => `&#x${code};`) },
  { name: 'HTML, with zeros before', inJson: key => each(key, code => `&#x0000000${code};`) },
  { name: 'HTML, twice', inJson: key => each(key, code => `&amp;#x${code};`) },
  { name: 'split by a tag', inJson: key => halved(key, '<b>') },
  { name: 'split by a tag with an attribute', inJson: key => halved(key, '</i><b class=\\"x\\">') },
  { name: 'split by an escaped tag', inJson: key => halved(key, '\\u003cb class=\\u0022x\\u0022\\u003e') },
  { name: 'split by a tag as entities', inJson: key => halved(key, '&lt;wbr&gt;') },
  { name: 'split by zero-width characters', inJson: key => key.replace(/./g, '$&\u200b') },
  { name: 'split by escaped zero-width characters', inJson: key => key.replace(/./g, '$&\\u200B') },
  { name: 'split by NUL', inJson: key => key.replace(/./g, '$&\\u0000') },
  { name: 'UTF-16 in base64', inJson: key => utf16(key).toString('base64') },
  { name: 'UTF-16 in base64, behind a byte order mark', inJson: key => utf16(`\ufeff${key}`).toString('base64') },
  { name: 'UTF-16, big end first, in base64', inJson: key => utf16be(`a:${key}`).toString('base64') },
  { name: 'UTF-16, big end first, in base64url', inJson: key => utf16be(key).toString('base64url') },
  { name: 'UTF-16 in hex', inJson: key => utf16(key).toString('hex') },
  { name: 'UTF-16, big end first, in hex', inJson: key => utf16be(key).toString('hex') },
  { name: 'hex in mixed case', inJson: key => mixed(Buffer.from(key).toString('hex')) },
  ...[':', ' ', '-', ', ', '\\n', ',0x', ' 0X', '.', '_', '\xa0', '\u2009', ',\u3000'].map(between => ({
    name: `hex, with ${JSON.stringify(between)} between`,
    inJson: (key: string) => bytes(key).join(between),
  })),
  {
    name: 'code points',
    inJson: key =>
      bytes(key)
        .map(code => `U+00${code.toUpperCase()}`)
        .join(' '),
  },
  { name: 'base64 of base64', inJson: key => base64(base64(`a${key}`)) },
  {
    name: 'base64url of base64url',
    inJson: key => Buffer.from(Buffer.from(`>>?${key}`).toString('base64url')).toString('base64url'),
  },
  { name: 'base64 of JSON', inJson: key => base64(JSON.stringify({ key })) },
  { name: 'base64 of JSON with \\u', inJson: key => base64(`{"key":"${each(key, code => `\\u00${code}`)}"}`) },
  {
    name: 'base64 of JSON with \\U in capitals',
    inJson: key => base64(each(key, code => `\\u00${code.toUpperCase()}`)),
  },
  {
    name: 'HTML, by names',
    inJson: key => key.replace(/[^a-z\d]/gi, mark => (named[mark] ? `&${named[mark]};` : `&#${mark.charCodeAt(0)};`)),
  },
  { name: 'HTML, by other names', inJson: key => json(key).replaceAll('_', '&UnderBar;').replaceAll('-', '&dash;') },
  { name: 'quoted-printable', inJson: key => each(key, code => `=${code.toUpperCase()}`) },
  {
    name: 'quoted-printable, partly',
    inJson: key => key.replace(/[^a-z\d]/gi, mark => `=${mark.charCodeAt(0).toString(16)}`),
  },
  { name: 'quoted-printable, in lines', inJson: key => halved(key, '=\\r\\n') },
  { name: '\\u{}', inJson: key => each(key, code => `\\\\u{${code}}`) },
  { name: '\\u{} with zeros before', inJson: key => each(key, code => `\\\\u{0000${code}}`) },
  {
    name: 'octal',
    inJson: key =>
      bytes(key, 8)
        .map(code => `\\\\${code.padStart(3, '0')}`)
        .join(''),
  },
  { name: '%u', inJson: key => each(key, code => `%u00${code}`) },
  { name: '\\U with eight digits', inJson: key => each(key, code => `\\\\U000000${code}`) },
  { name: 'decimal codes', inJson: key => bytes(key, 10).join(',') },
  { name: 'decimal codes with blanks', inJson: key => bytes(key, 10).join(' ') },
  { name: 'octal codes', inJson: key => bytes(key, 8).join(' ') },
  { name: 'characters', inJson: key => json(Array.from(key).join(' ')) },
  { name: 'a list of numbers in JSON in JSON', inJson: key => json(JSON.stringify({ key: [...Buffer.from(key)] })) },
  { name: 'a list of characters in JSON in JSON', inJson: key => json(JSON.stringify({ key: Array.from(key) })) },
  { name: 'in capitals', inJson: key => json(key.toUpperCase()) },
  { name: 'behind a backslash', inJson: key => `\\\\${key}` },
];

/** Ways to write a key as a JSON list. */
export const keyLists: readonly ((key: string) => string)[] = [
  key => JSON.stringify(bytes(key, 10).map(Number)),
  key => `[1,\n ${bytes(key, 10).join(',\n ')},\n 0]`,
  key => JSON.stringify([...utf16(key)]),
  key => JSON.stringify(Buffer.from(key)),
  key => JSON.stringify(bytes(key)),
  key => JSON.stringify(bytes(key, 10)),
  key =>
    JSON.stringify(
      bytes(key).map(code => `0x${code}`),
      undefined,
      2,
    ),
  key => JSON.stringify(Array.from(key)),
  key => JSON.stringify(Array.from(key), undefined, 2),
];

/** The texts none of which may stand anywhere: what a person, a program or a model would read the key from. */
export function readableSpellings(key: string): string[] {
  const hex = Buffer.from(key).toString('hex');
  const inner = ['', 'u', 'me'].map(name => base64(`${name}${name && ':'}${key}`.slice(0, -1)));
  return [
    ...[key, hex, hex.toUpperCase(), key.replace(/./g, '$&\0'), key.replace(/./g, '$&\u200b')],
    ...inner.map(text => text.replace(/=+$/, '').slice(4, -4)),
    ...keySpellings.map(({ inJson }) => inJson(key)),
    // What is left of one that is cut in the middle.
    key.slice(9),
  ];
}

/** Those of them that stand in a text. */
export function spellingsIn(text: string, key: string): string[] {
  return readableSpellings(key).filter(spelling => text.includes(spelling));
}
