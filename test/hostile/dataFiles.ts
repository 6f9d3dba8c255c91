/** A data file that somebody else made to do harm. */
export interface HostileDataFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Numbers that stand for sizes, counts and places in a header, and mean too much. */
const sizes = [0xff_ff_ff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0, 1];

/**
 * A good file cut off at many places, with each part of its bytes turned over, and with sizes in it that are too large. `whole`: what it is
 * made of; the same is made of it each time.
 */
export function* spoiltFiles(name: string, whole: Uint8Array, count: number): Generator<HostileDataFile> {
  let state = 12_345;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  for (let at = 0; at < count; at++) {
    const place = below(whole.length);
    yield { name: `${name} cut off at ${place}`, bytes: whole.slice(0, place) };
    const turned = Uint8Array.from(whole);
    for (let byte = 0; byte <= below(4); byte++) turned[below(whole.length)] = below(256);
    yield { name: `${name} with other bytes, ${at}`, bytes: turned };
    const sized = Buffer.from(whole);
    const size = sizes[below(sizes.length)] ?? 0;
    const where = below(Math.max(1, whole.length - 4));
    if (where + 4 <= sized.length) sized.writeUInt32LE(size, where);
    yield { name: `${name} with ${size} at ${where}`, bytes: sized };
    // The footer is the last part, where most sizes are.
    const footed = Buffer.from(whole);
    const end = whole.length - 1 - below(Math.min(400, whole.length));
    footed[end] = below(2) ? 0xff : below(256);
    yield { name: `${name} with another byte at ${end}`, bytes: footed };
  }
}

/** Texts whose tables would be larger than they look. */
export function hostileTexts(): readonly HostileDataFile[] {
  const text = (name: string, content: string): HostileDataFile => ({ name, bytes: Buffer.from(content) });
  return [
    text('2,001 columns.csv', `${Array.from({ length: 2_001 }, (_, place) => `c${place}`).join(',')}\n1\n`),
    text('a row of 2 MB.csv', `a,b\n${'x'.repeat(2_000_000)},1\n`),
    text('quotes without end.csv', `a,b\n"${'x,\n'.repeat(100_000)}`),
    text('nothing but separators.csv', `${','.repeat(1_900)}\n`.repeat(500)),
    text('nothing but quotes.csv', '"'.repeat(500_001)),
    text('nothing but line ends.csv', '\n'.repeat(1_000_000)),
    text('comments alone.csv', '# a: b\n'.repeat(100_000)),
    text('a number of 100 kB.csv', `a\n${'9'.repeat(100_000)}\n`),
    text('blanks before a number.csv', `a\n${' '.repeat(100_000)}x\n`),
    text('a heading of 500 kB.csv', `${'(a '.repeat(160_000)}),b\n1,2\n`),
    text('distances without end.csv', `ts,a\n0001-01-01T00:00:00Z,1\n9999-12-31T00:00:00Z,2\n`),
    text('brackets.json', '['.repeat(1_000_000)),
    text('brackets.ndjson', '['.repeat(1_000_000)),
    text(
      '3,000 columns by numbers of rows.json',
      `{${Array.from({ length: 3_000 }, (_, at) => `"c${at}":{"0":1,"1":2}`).join(',')}}`,
    ),
    text(
      'an index of 100,000 brackets.json',
      `{"columns":["a"],"index":[${'['.repeat(100_000)}${']'.repeat(100_000)}],"data":[[1]]}`,
    ),
    text('histories within 100,000 others.json', `${'{"history":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    text('NaN behind a million escapes.json', `[{"a":"${String.raw`\"`.repeat(1_000_000)}","b":NaN}]`),
    text('a million times NaN.json', `[${'NaN,'.repeat(999_999)}NaN]`),
    text('records of other names.json', `[${Array.from({ length: 3_000 }, (_, row) => `{"n${row}":1}`).join(',')}]`),
  ];
}
