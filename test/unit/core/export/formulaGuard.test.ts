import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import {
  formatComments,
  createDelimitedLayout,
  semicolonCsv,
  standardCsv,
  tsv,
  type DelimitedForm,
} from '../../../../src/core/export/delimited.ts';
import { createIsoTimeFormatter } from '../../../../src/core/export/timeFormatters.ts';
import { writeWholeText } from '../../../../src/core/export/cellWriter.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const forms = { 'comma CSV': standardCsv, 'semicolon CSV': semicolonCsv, TSV: tsv };
const separators = [',', ';', '\t', '|'];

function exportCell(name: string, cell: unknown, form: DelimitedForm): string {
  const frame = recordsToFrame([{ first: 1, [name]: cell, last: 2.5 }]);
  const heading = frame.columns.map(column => column.name);
  return writeWholeText(createDelimitedLayout(frame.columns, heading, createIsoTimeFormatter('UTC'), form), frame);
}

/** Splits cells like a spreadsheet: a quote counts only at the start of a cell, and text after the closing quote is kept. */
function splitCells(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isNew = true;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (isNew && character === '"') [isQuoted, isNew] = [true, false];
    else if (isQuoted && character === '"' && text[index + 1] === '"') cell += text.charAt(index++);
    else if (isQuoted && character === '"') isQuoted = false;
    else if (!isQuoted && (character === separator || character === '\n' || character === '\r')) {
      cells.push(cell);
      [cell, isNew] = ['', true];
    } else [cell, isNew] = [cell + character, false];
  }
  return [...cells, cell];
}

function findFormulas(text: string): string[] {
  const cells = separators.flatMap(separator => splitCells(text, separator));
  const isNumber = /^[+-]\d[\d.e-]*(?:$|[,;\]}])/i;
  return cells.filter(cell => /^\s*[=+\-@＝＋－＠]/.test(cell) && !isNumber.test(cell));
}

describe('delimited text in a spreadsheet that uses another separator', () => {
  const attacks = ['=HYPERLINK("http://x.example";"ok")', '+1+cmd', "-2+3+cmd|' /C calc'!A0", '@SUM(1)', '＝1'];
  const textsBefore = [
    'ok;',
    'ok,',
    'ok\t',
    'ok; ',
    'ok;"',
    'ok\n',
    'a;b,',
    'ok|',
    'ok|"',
    '',
    ' ',
    ';',
    '"',
    'ok;-1;',
    'ok;""',
  ];
  for (const [name, form] of Object.entries(forms))
    it(`contains no formula for a spreadsheet with another separator: ${name}`, () => {
      for (const start of textsBefore)
        for (const attack of attacks) {
          assert.deepEqual(findFormulas(exportCell(start + attack, start + attack, form)), [], start + attack);
          assert.deepEqual(findFormulas(exportCell('a', [start + attack, 1], form)), [], `nested ${start}${attack}`);
        }
    });

  it('contains no formula for any text', () => {
    const piece = fc.constantFrom('=', '+', '-', '@', ';', ',', '\t', '\n', '"', ' ', 'a', '1', '＠', '(', '{', ']');
    const text = fc.array(piece, { maxLength: 12 }).map(pieces => pieces.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom(...Object.values(forms)), (cell, form) => {
        assert.deepEqual(findFormulas(exportCell('a', cell, form)), []);
      }),
      { numRuns: scaleRunCount(2000) },
    );
  });

  it('leaves a number unchanged, but not a text that only starts with one', () => {
    for (const [text, cell] of [
      ['-12.5', '-12.5'],
      ['+12,5', '"+12,5"'],
      ['-1.5E+06', '-1.5E+06'],
      ['-1;-2.5|+3', "'-1;'-2.5|'+3"],
      ['-1-1', "'-1-1"],
      ['-1+cmd', "'-1+cmd"],
      ['-', "'-"],
      ['+27 11 000', "'+27 11 000"],
      ['a|=1+1', "a|'=1+1"],
      ['a;-1+cmd', "a;'-1+cmd"],
    ])
      assert.equal(exportCell('a', text, standardCsv).split('\r\n')[1], `1,${cell},2.5`);
  });

  it('leaves numbers unchanged, in cells and in lists', () => {
    assert.match(exportCell('a', [1, -2, -3.5, -1e-7], standardCsv), /\r\n1,"\[1,-2,-3.5,-1e-7\]",2\.5\r\n$/);
    assert.match(exportCell('a', { b: -1, c: [-2] }, tsv), /\n1\t-1\t\[-2\]\t2\.5\n$/);
    assert.match(exportCell('a', -7, semicolonCsv), /\r\n1;-7;2,5\r\n$/);
  });

  it('contains no formula in a comment', () => {
    assert.equal(
      formatComments(['connection: a;=1+1,"@x', 'range: -1'], tsv),
      `# connection: a;'=1+1,"'@x\n# range: -1\n`,
    );
  });

  it('takes linear time in the length of the text', () => {
    for (const part of [';', ';"', '; ', ';-', ';-1', '\n', '1']) {
      // An algorithm of quadratic time would need minutes.
      const text = part.repeat(3e5);
      assert.ok(exportCell('a', `${text}=`, standardCsv).length >= text.length);
    }
  });
});
