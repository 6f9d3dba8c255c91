import assert from 'node:assert/strict';
import { lexer, walkTokens, type Token, type Tokens } from 'marked';
import { formatHtmlReport } from '../../../../src/core/report/htmlReport.ts';
import { formatMarkdownReport } from '../../../../src/core/report/markdownReport.ts';
import { splitWideTable, reportFileName, type Report } from '../../../../src/core/report/report.ts';
import type { ReportTable } from '../../../../src/shared/report.ts';
import { hostileTexts } from '../../../hostile/texts.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>Über</title><rect width="9" height="9"/></svg>';

function createTable(columns: number, rows: number, cell: (row: number, column: number) => string): ReportTable {
  return {
    title: 'Rows',
    caption: `${rows} rows`,
    columns: Array.from({ length: columns }, (_, index) => ({ label: `Column ${index}`, isNumber: index > 0 })),
    rows: Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => cell(row, column))),
  };
}

function createReport(
  tables: readonly ReportTable[],
  reportTexts: { readonly title?: string; readonly otherText?: string } = {},
): Report {
  const { otherText = 'text' } = reportTexts;
  const part = {
    title: reportTexts.title ?? 'State',
    facts: [['Connection', otherText] as const, [otherText, 'value'] as const],
    note: otherText,
    mark: 'SAMPLE DATA',
    content: { chart: { svg, summary: otherText, notice: otherText }, tables, methods: [otherText] },
  };
  const words = { contents: 'Contents', methods: 'Methods' };
  return {
    title: 'Morning',
    note: otherText,
    language: 'en',
    words,
    parts: [part, { ...part, title: 'None', content: otherText }],
  };
}

/** Finds elements and their attributes with a scanner that only knows the syntax. */
function scanElements(html: string): { readonly name: string; readonly attributes: readonly string[] }[] {
  return Array.from(
    html.matchAll(/<([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)>/gi),
    ([, name = '', attributeText = '']) => ({
      name,
      attributes: Array.from(attributeText.matchAll(/\s([a-z-]+)="[^"]*"/g), ([, attribute = '']) => attribute),
    }),
  );
}

/** A page sends no longer texts. */
const texts = hostileTexts.filter(({ text }) => text.length <= 20_000);

describe('a report', () => {
  it('includes every cell of a wide table, and repeats the first column in each part', () => {
    const table = createTable(30, 3, (row, column) => `${row}·${column}`);
    const parts = splitWideTable(table);
    assert.deepEqual(
      parts.map(({ columns }) => columns.length),
      [11, 11, 10],
    );
    for (const { columns, rows } of parts)
      for (const cells of rows) {
        assert.equal(cells.length, columns.length);
        assert.deepEqual(
          cells.map(cell => cell.split('·')[1]),
          columns.map(({ label }) => label.split(' ')[1]),
        );
      }
    assert.deepEqual(new Set(parts.flatMap(({ rows }) => rows.flat())), new Set(table.rows.flat()));
    assert.deepEqual(splitWideTable(createTable(13, 1, String)).length, 1);
    assert.deepEqual(
      splitWideTable(createTable(14, 1, String)).map(({ columns }) => columns.length),
      [8, 7],
    );
  });

  it("includes the user's notes at its beginning and in each section, line by line", () => {
    const report = createReport([], { otherText: 'Colder than usual.\nOCGT ran.' });
    const html = formatHtmlReport(report);
    assert.equal(html.split('<p class="own">Colder than usual.\nOCGT ran.</p>').length, 4);
    assert.ok(html.indexOf('class="own"') < html.indexOf('<nav>'));
    const { text } = formatMarkdownReport(report, 'morning');
    assert.match(text, /^# Morning\n\nColder than usual\\?\.\n\nOCGT ran\\?\.\n\n/);
    assert.doesNotMatch(formatHtmlReport({ ...report, note: '', parts: [] }), /class="own"/);
  });

  it('writes the same HTML and Markdown each time', () => {
    const report = createReport([createTable(4, 9, (row, column) => String(row * column))]);
    assert.equal(formatHtmlReport(report), formatHtmlReport(structuredClone(report)));
    assert.deepEqual(formatMarkdownReport(report, 'morning'), formatMarkdownReport(structuredClone(report), 'morning'));
  });

  it('writes HTML without scripts, event handlers and external addresses, whatever its texts are', () => {
    const allowedAttributes = new Map(
      scanElements(formatHtmlReport(createReport([createTable(2, 1, () => 'x')]))).map(({ name, attributes }) => [
        name,
        attributes,
      ]),
    );
    assert.ok(!allowedAttributes.has('script') && allowedAttributes.has('img') && allowedAttributes.has('meta'));
    for (const { name, text } of texts) {
      const html = formatHtmlReport(
        createReport([{ ...createTable(2, 1, () => text), title: text, caption: text }], {
          title: text,
          otherText: text,
        }),
      );
      // Each `<` starts an element of the report, with its name and quoted attributes.
      const elementCount = html.match(/<[a-z!]/gi)?.length ?? 0;
      assert.equal(scanElements(html).length + 1, elementCount, name);
      const reportWithoutLinks = formatHtmlReport(
        createReport([{ ...createTable(2, 1, () => 'x'), title: 'x', caption: 'x' }], { title: 'x', otherText: 'x' }),
      );
      assert.deepEqual(scanElements(html), scanElements(reportWithoutLinks), name);
      assert.deepEqual(
        [...html.matchAll(/(?:href|src)="([^"]{0,26})/g)].map(([, address]) => address),
        ['#part-1', '#part-2', 'data:image/svg+xml;base64,'],
      );
      assert.ok(!/(?!\s)\p{C}/u.test(html), name);
    }
  });

  it('puts the image of a section before its facts', () => {
    const report = createReport([createTable(2, 1, () => 'x')]);
    for (const text of [
      formatHtmlReport(report).slice(formatHtmlReport(report).indexOf('<main>')),
      formatMarkdownReport(report, 'a').text,
    ]) {
      const positions = [/SAMPLE DATA/, /<img|!\[/, /Connection/, /Column 0/].map(part => text.search(part));
      assert.deepEqual(
        positions,
        [...positions].sort((a, b) => a - b),
      );
      assert.ok(positions[0] !== -1);
    }
  });

  it('starts with a policy that forbids loading resources and running code', () => {
    const html = formatHtmlReport(createReport([]));
    const [policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.slice(1) ?? [];
    assert.match(policy ?? '', /^default-src 'none'; img-src data:; style-src 'unsafe-inline'/);
    assert.ok(html.indexOf('Content-Security-Policy') < html.indexOf('<style>'));
    const [address = ''] = /src="data:image\/svg\+xml;base64,([^"]*)"/.exec(html)?.slice(1) ?? [];
    assert.equal(Buffer.from(address, 'base64').toString('utf8'), svg);
  });

  it('writes a heading and a table of contents entry for each section, and explains an empty section', () => {
    const html = formatHtmlReport(createReport([]));
    assert.deepEqual(
      [...html.matchAll(/<a href="#(part-\d)">([^<]*)</g)].map(([, id, name]) => [id, name]),
      [
        ['part-1', 'State'],
        ['part-2', 'None'],
      ],
    );
    assert.deepEqual(
      [...html.matchAll(/<section id="([^"]*)">\n<h2>([^<]*)</g)].map(([, id, name]) => [id, name]),
      [
        ['part-1', 'State'],
        ['part-2', 'None'],
      ],
    );
    assert.match(html, /<p>text<\/p>/);
    const { parts, ...withoutParts } = createReport([]);
    const withOnePart = formatHtmlReport({ ...withoutParts, title: 'State', parts: parts.slice(0, 1) });
    assert.deepEqual(
      [...withOnePart.matchAll(/<h[12]>([^<]*)/g)].map(([, name]) => name),
      ['State'],
    );
  });

  it('writes Markdown with every cell in its tables and the images in a separate folder', () => {
    const table = createTable(5, 4, (row, column) =>
      column === 0 ? `14 Nov 0${row}:00` : String(row * 1000.5 + column),
    );
    const { text, pictures } = formatMarkdownReport(createReport([table]), 'mor ning (1)');
    assert.deepEqual(pictures, [{ name: 'chart-1.svg', svg }]);
    const tokens: Token[] = [];
    void walkTokens(lexer(text), token => void tokens.push(token));
    const [read] = tokens.filter((token): token is Tokens.Table => token.type === 'table');
    assert.ok(read);
    assert.deepEqual(
      read.header.map(({ text: label }) => label),
      table.columns.map(({ label }) => label),
    );
    assert.deepEqual(
      read.rows.map(cells => cells.map(cell => cell.text)),
      table.rows,
    );
    assert.deepEqual(read.align, [null, 'right', 'right', 'right', 'right']);
    const [image] = tokens.filter((token): token is Tokens.Image => token.type === 'image');
    assert.equal(decodeURIComponent(image?.href ?? ''), 'mor ning (1)/chart-1.svg');
    assert.match(image?.href ?? '', /^[\w%./-]+$/);
  });

  it('writes Markdown without links, images or HTML from its texts', () => {
    for (const { name, text } of texts) {
      const report = createReport([{ ...createTable(2, 2, () => text), title: text, caption: text }], {
        title: text,
        otherText: text,
      });
      const tokensByType: Record<string, string[]> = { link: [], html: [], image: [], code: [] };
      const pictureTokens = new Set<Token>();
      void walkTokens(lexer(formatMarkdownReport(report, 'folder').text), token => {
        // The description of an image is plain text.
        if (token.type === 'image')
          void walkTokens((token as Tokens.Image).tokens, inner => void pictureTokens.add(inner));
        // Some programs turn visible addresses into links, but load nothing.
        const isBare = token.type === 'link' && token.raw === (token as Tokens.Link).text;
        if (isBare || token.raw === '<br>' || pictureTokens.has(token)) return;
        tokensByType[token.type]?.push(token.raw);
      });
      const { image, ...otherTokens } = tokensByType;
      assert.deepEqual(otherTokens, { link: [], html: [], code: [] }, name);
      assert.equal(image?.length, 1, name);
    }
  });

  it('creates a file name that is readable in each script, and valid in every file system', () => {
    const expectedNames: readonly (readonly [title: string, name: string])[] = [
      ['ውሂብ', 'ውሂብ'],
      ['データ 2026', 'データ 2026'],
      ['ग्रिड', 'ग्रिड'],
      ['Été', 'Été'],
      ['E\u0301te\u0301', 'Été'],
      ['Wind/PV: <new>\n', 'Wind-PV- -new'],
      ['..\\..\\up', 'up'],
      ['tab\tnull\0 right\u202eleft', 'tab-null rightleft'],
      ['con', 'con_'],
      ['Aux.2026.html', 'Aux_.2026.html'],
      ['LPT¹ .md', 'LPT¹_ .md'],
      ['console', 'console'],
      ['week. . ', 'week'],
      ['???', 'report'],
      ['', 'report'],
      [`${'a'.repeat(58)}. b`, 'a'.repeat(58)],
    ];
    for (const [title, name] of expectedNames) assert.equal(reportFileName(title), name);
    const long = reportFileName('𠮷'.repeat(100));
    assert.equal(long, '𠮷'.repeat(60));
    for (const { text } of texts) {
      const name = reportFileName(text);
      assert.ok(Buffer.byteLength(name) <= 241 && name !== '' && name.isWellFormed(), name);
      assert.doesNotMatch(name, /[<>:"/\\|?*\p{C}]|^[ .]|[ .]$/u);
    }
  });
});
