import assert from 'node:assert/strict';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { parseFilterConditions } from '../../../../src/core/filter/readFilter.ts';
import { createTextFolder } from '../../../../src/core/filter/textFold.ts';
import { formatFilter } from '../../../../src/core/snippets/filterSql.ts';
import { quoteForSql } from '../../../../src/core/snippets/quote.ts';
import { formatContains } from '../../../../src/core/snippets/textSql.ts';
import { parseFilter } from '../../../../src/core/filter/parseFilter.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { textColumn } from '../filter/columns.ts';

const locales = ['en', 'af', 'de', 'sv', 'es', 'tr', 'lt', 'vi', 'el', 'ru'];
/** Parts of texts: letters that are folded, accents before and after them, and special characters of SQL and patterns. */
const pieces = [
  ...[
    'a',
    'A',
    'å',
    'Å',
    'A\u030a',
    '\u212b',
    'ä',
    'ö',
    'Ö',
    'e',
    'É',
    'e\u0301',
    'ê',
    'ệ',
    'ñ',
    'ç',
    'ø',
    'ß',
    'ẞ',
    'ﬁ',
  ],
  ...['i', 'I', 'İ', 'ı', 'i\u0307', 'Σ', 'σ', 'ς', 'ά', 'и', 'Й', 'ё', 'Ё', 'đ', 'ơ', 'q\u0303', '\u0301', 'ǆ', 'ŉ'],
  ...[' ', '\u00a0', '\u2009', '\u3000', '\t', '\n', '-', '−', "'", '’', '"', '%', '_', '\\', '$1', '*', '?', '[', '^'],
  ...[
    '0',
    '1',
    '007',
    '1.50',
    '1e3',
    '-0',
    'null',
    'NULL',
    'true',
    'or',
    ',',
    '=',
    '≠',
    '!',
    '>',
    '🌬️',
    'か',
    'が',
    '한',
    'ส',
    'क',
    'कि',
    'ש',
    'אָ',
  ],
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map(parts => parts.join(''));
const cells = fc.array(fc.option(text, { freq: 12 }), { minLength: 1, maxLength: 24 });
const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
/** Generates the text of a cell, a part of it or any other text, in each form of the grammar. */
const filterTexts = fc.tuple(
  fc.constantFrom('', '!', '=', '!=', 'plain', 'plain!', 'either', 'neither'),
  fc.oneof(text, fc.constant(undefined)),
  fc.nat(),
  fc.nat(),
);

function filterText(
  texts: readonly (string | null)[],
  [form, otherText, position, length]: readonly [string, string | undefined, number, number],
) {
  const cell = texts[position % texts.length] ?? '';
  const letters = Array.from(cell);
  const value = otherText ?? letters.slice(length % (letters.length + 1)).join('');
  if (form === 'plain') return value;
  if (form === 'plain!') return `!${value}`;
  if (form === 'either') return `${quoted(value)} or =${quoted(cell)} or null`;
  if (form === 'neither') return `!${quoted(value)}, !=${quoted(cell)}`;
  return `${form}${quoted(value)}`;
}

describe('a text filter as SQL', () => {
  let database: DuckDBConnection;
  before(async () => {
    database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  });
  after(() => database.closeSync());

  it('finds the rows that the table shows, whatever the texts', async () => {
    let comparedFilters = 0;
    let unsupportedFilters = 0;
    const property = fc.asyncProperty(cells, filterTexts, fc.constantFrom(...locales), async (texts, form, locale) => {
      const column = textColumn('status', texts);
      const context = { timeZone: 'UTC', locale };
      const filter = filterText(texts, form);
      const read = parseFilterConditions(filter, column, context);
      const parsed = parseFilter(filter, column, context);
      if (!read.ok || !parsed.ok || read.conditions.length === 0) return;
      const sql = formatFilter(read, { expression: 'status', kind: 'text', locale });
      if (sql === undefined) unsupportedFilters++;
      if (sql === undefined) return;
      comparedFilters++;
      const values = texts.map((cell, row) => `(${row}, ${cell === null ? 'NULL' : quoteForSql(cell)}::VARCHAR)`);
      const query = `SELECT row FROM (VALUES ${values.join(', ')}) AS t(row, status) WHERE ${sql} ORDER BY row`;
      const foundRows = (await database.runAndReadAll(query)).getRows().map(([row]) => Number(row));
      const expectedRows = texts.flatMap((_, row) => (parsed.test(row) ? [row] : []));
      assert.deepEqual(foundRows, expectedRows, JSON.stringify([filter, locale, sql, texts]));
    });
    await fc.assert(property, { numRuns: scaleRunCount(2000) });
    assert.ok(
      comparedFilters > unsupportedFilters * 3,
      `${comparedFilters} compared, ${unsupportedFilters} only in the panel`,
    );
  });

  it('folds each letter as the table does', async () => {
    // DuckDB lacks the lower case of letters from Unicode 15 and later.
    await database.run(
      `CREATE TABLE letters AS SELECT chr(code::INT) AS letter FROM range(33, 65536) AS t(code)
       WHERE code NOT BETWEEN 55296 AND 57343 AND code <> 65279 AND NOT regexp_matches(chr(code::INT), '[\\p{M}ƛɤꟋ-ꟜᲊᲉ]')
         AND regexp_matches(chr(code::INT), '[\\p{Latin}\\p{Greek}\\p{Cyrillic}\\p{Common}]')`,
    );
    const letters = (await database.runAndReadAll('FROM letters')).getRows().map(([letter]) => String(letter));
    const searchedLetters = ['a', 'e', 'i', 'ı', 'o', 'u', 'n', 'å', 'ö', 'đ', 'σ', 'и', 'й', ' ', '-', "'", '='];
    for (const locale of locales) {
      const foldText = createTextFolder(locale);
      const folded = letters.map(foldText);
      for (const searched of searchedLetters) {
        const sql = formatContains('letter', searched, locale) ?? assert.fail();
        const foundLetters = await database.runAndReadAll(`FROM letters WHERE ${sql}`);
        const expectedLetters = letters.filter((_, index) => folded[index]?.includes(foldText(searched)));
        assert.deepEqual(
          foundLetters.getRows().map(([letter]) => letter),
          expectedLetters,
          `${searched} in ${locale}`,
        );
      }
    }
  });

  it('omits a filter for which DuckDB would find other rows: lone surrogates, NUL, other scripts', () => {
    const column = textColumn('status', ['']);
    for (const filter of ['\ud83d', '="\udc00"', '"a\0b"', 'कि', 'क', '한', 'ส', 'a\u093f', '!"\ud83d"'])
      for (const locale of ['en', 'sv']) {
        const conditions = parseFilterConditions(filter, column, { timeZone: 'UTC', locale });
        assert.ok(conditions.ok);
        assert.equal(formatFilter(conditions, { expression: 'status', kind: 'text', locale }), undefined, filter);
      }
  });

  it('writes readable SQL if no letter is folded differently', () => {
    assert.equal(formatContains('"status"', 'Ñörmal', 'en'), `contains(strip_accents(lower("status")), 'normal')`);
    assert.equal(
      formatContains('"status"', 'Ñu', 'es'),
      `contains(strip_accents(lower(translate(nfc_normalize("status"), 'Ññ', '\u{f0000}\u{f0000}'))), '\u{f0000}u')`,
    );
  });
});
