import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  quoteForBash,
  cleanComment,
  quoteForPowerShell,
  quoteForPython,
  quoteSqlName,
  quoteForSql,
  quoteForTypeScript,
} from '../../../../src/core/snippets/quote.ts';
import { unicodeCharacter } from '../../../support/unicodeCharacter.ts';
import { readPowerShell, readR } from './readLiterals.ts';
import { has, python, runText } from './tools.ts';

const hostile = [
  '',
  'it\'s $HOME `id` "x" \\ $(id) ${PATH} !! %PATH%',
  'two\nlines\r\n\tand a tab',
  'é λ 中 😀 \u202Egnp.exe\u2066 \u2028 \u00A0 \u0085 \u007F \u001B[31m',
  '‘curly’ “quotes” ‚low„ ‛',
  "'; DROP TABLE grid; --",
  '@file',
  '-rf',
  '#{x} #comment',
  '\\x41 \\u0041 \\n',
  '\'\'\'"""',
];

/** Texts from users and machines, without lone surrogates and NUL, which a URL cannot contain. */
const texts = fc
  .oneof(
    fc.string({ unit: unicodeCharacter }),
    fc.string({ unit: fc.constantFrom(...Array.from('\'"`$\\{}()!;&|<>#%@ \n\r\t’”\u2028a😀')) }),
  )
  .filter(text => !text.includes('\0') && !/\p{Surrogate}/u.test(text));

const samples = [...hostile, ...fc.sample(texts, { numRuns: 300, seed: 6 })];

describe('a text in a snippet', () => {
  it('round-trips a text in bash', async function () {
    // On Windows, `bash` may start another system, or nothing.
    if (process.platform === 'win32') this.skip();
    const script = samples.map(text => `printf '%s\\0' ${quoteForBash(text)}`).join('\n');
    for (const locale of ['C.UTF-8', 'C']) {
      const { stdout, stderr } = await runText('bash', 's.sh', script, { LC_ALL: locale });
      assert.equal(stderr, '');
      assert.deepEqual(stdout.split('\0').slice(0, -1), samples);
    }
  });

  it('round-trips a text in TypeScript', async () => {
    const script = `console.log(JSON.stringify([${samples.map(quoteForTypeScript).join(',\n')}]))`;
    const { stdout } = await runText(process.execPath, 's.mts', script);
    assert.deepEqual(JSON.parse(stdout), samples);
  });

  it('round-trips a text in Python', async function () {
    if (!(await has(python, '--version'))) this.skip();
    const script = `import json\nprint(json.dumps([${samples.map(quoteForPython).join(',\n')}]))`;
    const { stdout } = await runText(python, 's.py', script);
    assert.deepEqual(JSON.parse(stdout), samples);
  });

  it('round-trips a text in R, by its grammar', () => {
    for (const text of samples) assert.equal(readR(quoteForPython(text)), text);
  });

  it('round-trips a text in R', async function () {
    if (!(await has('Rscript', '--version'))) this.skip();
    const list = samples.map(quoteForPython).join(',\n');
    const script = `for (text in list(${list})) cat(paste(charToRaw(enc2utf8(text)), collapse = ""), "\\n", sep = "")`;
    const { stdout } = await runText('Rscript', 's.R', script);
    const lines = stdout.split('\n').slice(0, -1);
    assert.deepEqual(
      lines.map(bytes => Buffer.from(bytes, 'hex').toString()),
      samples,
    );
  });

  it('round-trips a text in PowerShell, by its grammar', () => {
    for (const text of samples) assert.equal(readPowerShell(quoteForPowerShell(text)), text);
  });

  it('round-trips a text in PowerShell', async function () {
    if (!(await has('pwsh', '-Version'))) this.skip();
    const script = `ConvertTo-Json -Compress @(${samples.map(quoteForPowerShell).join(',\n')})`;
    const { stdout } = await runText('pwsh', 's.ps1', script);
    assert.deepEqual(JSON.parse(stdout), samples);
  });

  it('contains no invisible characters', () => {
    const quoteFunctions = [quoteForBash, quoteForTypeScript, quoteForPython, quoteForPowerShell];
    for (const text of samples)
      for (const write of quoteFunctions) assert.doesNotMatch(write(text), /(?! )[\p{C}\p{Z}]/u);
  });

  it('removes only characters that a URL cannot contain', () => {
    for (const write of [quoteForBash, quoteForTypeScript, quoteForPython, quoteForSql])
      assert.equal(write('a\uD800b\0c').slice(1, -1), 'a\uFFFDbc');
  });

  it('stays on one comment line', () => {
    fc.assert(fc.property(texts, text => !/[\n\r\u0085\u2028\u2029]/.test(cleanComment(text))));
  });
});

describe('a text in SQL', () => {
  it('round-trips a text and names in SQL', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const named = samples.filter(text => text !== '');
    const columns = named.map((text, index) => `${quoteForSql(text)} AS ${quoteSqlName(`${index} ${text}`)}`);
    const reader = await connection.runAndReadAll(`SELECT ${columns.join(', ')}`);
    assert.deepEqual(reader.getRows()[0], named);
    assert.deepEqual(
      reader.columnNames(),
      named.map((text, index) => `${index} ${text}`),
    );
    connection.closeSync();
  });
});
