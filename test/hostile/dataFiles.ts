/** A malicious data file. */
export interface HostileDataFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Extreme numbers to use as sizes, counts and offsets in a header. */
const sizes = [0xff_ff_ff_ff, 0x7f_ff_ff_ff, 0x80_00_00_00, 0, 1];

/**
 * Generates damaged copies of a valid file: truncated, with changed bytes, and with extreme sizes. The copies of a file are the same
 * in every run.
 */
export function* damagedFiles(name: string, validBytes: Uint8Array, count: number): Generator<HostileDataFile> {
  let state = 12_345;
  const randomBelow = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let index = 0; index < count; index++) {
    const length = randomBelow(validBytes.length);
    yield { name: `${name} cut off at ${length}`, bytes: validBytes.slice(0, length) };
    const changed = Uint8Array.from(validBytes);
    for (let byte = 0; byte <= randomBelow(4); byte++) changed[randomBelow(validBytes.length)] = randomBelow(256);
    yield { name: `${name} with other bytes, ${index}`, bytes: changed };
    const resized = Buffer.from(validBytes);
    const size = sizes[randomBelow(sizes.length)] ?? 0;
    const offset = randomBelow(Math.max(1, validBytes.length - 4));
    if (offset + 4 <= resized.length) resized.writeUInt32LE(size, offset);
    yield { name: `${name} with ${size} at ${offset}`, bytes: resized };
    // The footer at the end has most of the sizes.
    const changedFooter = Buffer.from(validBytes);
    const end = validBytes.length - 1 - randomBelow(Math.min(400, validBytes.length));
    changedFooter[end] = randomBelow(2) ? 0xff : randomBelow(256);
    yield { name: `${name} with another byte at ${end}`, bytes: changedFooter };
  }
}

/** Creates text files whose tables would be much larger than the files. */
export function hostileTexts(): readonly HostileDataFile[] {
  const text = (name: string, content: string): HostileDataFile => ({ name, bytes: Buffer.from(content) });
  return [
    text('2,001 columns.csv', `${Array.from({ length: 2_001 }, (_, column) => `c${column}`).join(',')}\n1\n`),
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
      `{${Array.from({ length: 3_000 }, (_, index) => `"c${index}":{"0":1,"1":2}`).join(',')}}`,
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
