import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import MarkdownIt from 'markdown-it';
import { parse } from 'marked';
import { formatMarkdownCaption, escapeMarkdown } from '../../../../src/core/export/markdown.ts';
import { formatNotebook } from '../../../../src/core/snippets/notebook.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { seeded } from '../../../support/seeded.ts';

/** Texts with markup next to or within an address, which most renderers turn into a link. */
const beside = [
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
const random = seeded(7);
const mixed = Array.from({ length: 300 }, () =>
  Array.from({ length: 4 }, () => {
    const parts = [...beside, '`', '|', '\\', '<b>', '@', ':', '//', ' '];
    return parts[Math.floor(random() * parts.length)] ?? '';
  }).join(''),
);
const texts = [...hostileTexts.map(({ text }) => text), ...beside, ...mixed].filter(({ length }) => length < 20_000);

/** Renders a table whose only cells are the text, and the text as a paragraph. */
function documentOf(text: string): string {
  const cell = escapeMarkdown(text);
  return `| ${cell} | ${cell} |\n| --- | --- |\n| ${cell} | 1 |\n\n${formatMarkdownCaption(`Facts of ${text}`)}x ${cell}\n`;
}

/** Returns the elements other than those of the document, and how often each of those occurs. */
function elementsOf(html: string): { readonly foreign: readonly string[]; readonly cells: number } {
  const tags = Array.from(html.matchAll(/<\/?([^\s>/]+)[^>]*>/g), ([tag, name = '']) => ({ tag, name }));
  const own = ['table', 'thead', 'tbody', 'tr', 'th', 'td', 'p', 'strong', 'code', 'br'];
  return {
    foreign: tags
      .filter(({ tag, name }) => !own.includes(name) || /[=]/.test(tag.replace(/^<td align.*$/, '')))
      .map(({ tag }) => tag),
    cells: tags.filter(({ tag }) => /^<t[dh]\b/.test(tag)).length,
  };
}

const renderers: Record<string, (markdown: readonly string[]) => string[]> = {
  marked: all => all.map(one => parse(one, { async: false, gfm: true })),
  'markdown-it': all => {
    const reader = new MarkdownIt({ html: true, linkify: true });
    return all.map(one => reader.render(one));
  },
};
const python = process.env['GRID_DATA_PYTHON'];
if (python !== undefined)
  renderers['cmark-gfm'] = all => {
    const program = `import json, sys
from cmarkgfm import github_flavored_markdown_to_html as html
from cmarkgfm.cmark import Options
print(json.dumps([html(one, options=Options.CMARK_OPT_UNSAFE) for one in json.load(sys.stdin)]))`;
    return JSON.parse(
      execFileSync(python, ['-c', program], {
        input: JSON.stringify(all.map(one => one.toWellFormed())),
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      }),
    ) as string[];
  };

for (const [name, render] of Object.entries(renderers))
  describe(`texts in Markdown, as ${name} shows them`, () => {
    it('have no element, link or picture, and stay in their cells', () => {
      const documents = texts.map(documentOf);
      const wrong = render(documents).flatMap((html, at) => {
        const { foreign, cells } = elementsOf(html);
        return foreign.length === 0 && cells === 4 ? [] : [{ text: texts[at], foreign, cells, html }];
      });
      assert.deepEqual(wrong.slice(0, 1), []);
    });

    it('are read as they are', () => {
      const plain = texts.filter(text => /^[\x20-\x7e]*$/.test(text));
      const pages = render(plain.map(text => `x ${escapeMarkdown(text)} x\n`));
      const shown = pages.map(page =>
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
        shown,
        plain.map(text => `x ${text} x`),
      );
    });
  });

describe('texts in a notebook', () => {
  it('are inert in its Markdown', () => {
    const data = { form: 'csv', path: 'a.csv', timeColumn: undefined, timeZone: 'UTC' } as const;
    for (const text of beside) {
      const notebook = JSON.parse(formatNotebook(data, 'a.csv', text)) as { cells: { source: string[] }[] };
      const html = parse(notebook.cells[0]?.source.join('') ?? '', { async: false });
      assert.doesNotMatch(html.replace(/<\/?(?:h1|p|code)>/g, ''), /<\w/);
    }
  });
});
