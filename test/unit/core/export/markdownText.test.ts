import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import MarkdownIt from 'markdown-it';
import { parse } from 'marked';
import { formatMarkdownCaption, escapeMarkdown } from '../../../../src/core/export/markdown.ts';
import { formatNotebook } from '../../../../src/core/snippets/notebook.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';

/** Texts with markup next to or within an address, because most renderers turn addresses into links. */
const textsNearAddresses = [
  'http://x.y/<img src=x onerror=alert(1)>',
  'http://x.y/\\<img src=x>',
  'https://x.y/`<img src=x>`',
  'www.x.y/<script>alert(1)</script>',
  'www.evil.example?<img/src=x>',
  'a@evil.example<img/src=x>',
  'xmpp:a@evil.example/<img/src=x>',
  'mailto:a@evil.example?<img/src=x>',
  'ftp://x.y/|<img src=x>|',
  '//evil.example/![x](http://x.y/z.png)',
  'evil.com/<img/src=x>',
  'пример.рф/<img/src=x>',
  '`http://x.y`<img/src=x>`',
  '``http://x.y/``',
  'http://x.y\\',
  'http://x.y|`|<img src=x>|`',
  'http:|//evil.example|www.|evil.example',
  'www`.evil.example a`@`evil.example',
  'http://x.y/\u200b<img src=x>\u00a0<img/src=http://x.y>',
  '&lt;img src=http://x.y&gt; &#60;img/src=x&#62;',
  '[a](http://x.y) ![a](http://x.y) <http://x.y> [a]: http://x.y',
  '$$x$$ $`x`$ ~~x~~ **x** __x__ *x* _x_ a_b_c',
];
const random = createSeededRandom(7);
const mixed = Array.from({ length: 300 }, () =>
  Array.from({ length: 4 }, () => {
    const parts = [...textsNearAddresses, '`', '|', '\\', '<b>', '@', ':', '//', ' '];
    return parts[Math.floor(random() * parts.length)] ?? '';
  }).join(''),
);
const texts = [...hostileTexts.map(({ text }) => text), ...textsNearAddresses, ...mixed].filter(
  ({ length }) => length < 20_000,
);

/** Creates a table whose only cells are the text, and a paragraph with the text. */
function createDocument(text: string): string {
  const cell = escapeMarkdown(text);
  return `| ${cell} | ${cell} |\n| --- | --- |\n| ${cell} | 1 |\n\n${formatMarkdownCaption(`Facts of ${text}`)}x ${cell}\n`;
}

/** Returns the elements that the document should not have, and the number of cells. */
function scanElements(html: string): { readonly unexpected: readonly string[]; readonly cells: number } {
  const tags = Array.from(html.matchAll(/<\/?([^\s>/]+)[^>]*>/g), ([tag, name = '']) => ({ tag, name }));
  const expectedTags = ['table', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'strong', 'code', 'br'];
  return {
    unexpected: tags
      .filter(({ tag, name }) => !expectedTags.includes(name) || /[=]/.test(tag.replace(/^<td align.*$/, '')))
      .map(({ tag }) => tag),
    cells: tags.filter(({ tag }) => /^<t[dh]\b/.test(tag)).length,
  };
}

const renderers: Record<string, (markdown: readonly string[]) => string[]> = {
  marked: documents => documents.map(document => parse(document, { async: false, gfm: true })),
  'markdown-it': documents => {
    const reader = new MarkdownIt({ html: true, linkify: true });
    return documents.map(document => reader.render(document));
  },
};
const python = process.env['GRID_DATA_PYTHON'];
if (python !== undefined)
  renderers['cmark-gfm'] = documents => {
    const program = `import json, sys
from cmarkgfm import github_flavored_markdown_to_html as html
from cmarkgfm.cmark import Options
print(json.dumps([html(one, options=Options.CMARK_OPT_UNSAFE) for one in json.load(sys.stdin)]))`;
    return JSON.parse(
      execFileSync(python, ['-c', program], {
        input: JSON.stringify(documents.map(document => document.toWellFormed())),
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      }),
    ) as string[];
  };

for (const [name, render] of Object.entries(renderers))
  describe(`texts in Markdown, as ${name} renders them`, () => {
    it('writes texts without an element, link or image, and within their cells', () => {
      const documents = texts.map(createDocument);
      const wrong = render(documents).flatMap((html, index) => {
        const { unexpected, cells } = scanElements(html);
        return unexpected.length === 0 && cells === 4 ? [] : [{ text: texts[index], foreign: unexpected, cells, html }];
      });
      assert.deepEqual(wrong.slice(0, 1), []);
    });

    it('displays texts unchanged', () => {
      const asciiTexts = texts.filter(text => /^[\x20-\x7e]*$/.test(text));
      const pages = render(asciiTexts.map(text => `x ${escapeMarkdown(text)} x\n`));
      const displayedTexts = pages.map(page =>
        page
          .replace(/<\/?(?:p|code)>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&')
          .trim(),
      );
      assert.deepEqual(
        displayedTexts,
        asciiTexts.map(text => `x ${text} x`),
      );
    });
  });

describe('texts in a notebook', () => {
  it("adds no markup from texts to the notebook's Markdown", () => {
    const data = { form: 'csv', path: 'a.csv', timeColumn: undefined, timeZone: 'UTC' } as const;
    for (const text of textsNearAddresses) {
      const notebook = JSON.parse(formatNotebook(data, 'a.csv', text)) as { cells: { source: string[] }[] };
      const html = parse(notebook.cells[0]?.source.join('') ?? '', { async: false });
      assert.doesNotMatch(html.replace(/<\/?(?:h1|p|code)>/g, ''), /<\w/);
    }
  });
});
