import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { root } from '../../../scripts/paths.ts';
import { toPseudoText } from '../../l10n/pseudo.ts';
import { serializeSchema, listSchemaTexts } from '../../l10n/schema.ts';
import { createSourceBundle, findTexts } from '../../l10n/sourceTexts.ts';
import {
  findProblems,
  fileNames,
  listLanguages,
  getMessage,
  readTexts,
  listTranslatedFiles,
} from '../../l10n/translations.ts';

const english = createSourceBundle(root, listSchemaTexts());

describe('the texts of the code', () => {
  it('matches the English bundle, which npm run l10n writes', () => {
    assert.deepEqual(readTexts(root, fileNames.bundle()), english);
  });

  it('translates every text into every language, with the same placeholders', () => {
    assert.deepEqual(listLanguages(root), ['af']);
    assert.deepEqual(listTranslatedFiles(root, english).flatMap(findProblems), []);
  });

  it('delivers the schema of a file of queries in English and in each language', () => {
    for (const language of ['', ...listLanguages(root)]) {
      const schema = serializeSchema(readTexts(root, fileNames.bundle(language)));
      assert.equal(readFileSync(join(root, fileNames.schema(language)), 'utf8'), schema);
      assert.equal(readTexts(root, fileNames.manifest(language))['queriesSchema'], `./${fileNames.schema(language)}`);
    }
  });

  it('uses one name for Sample Data, and none for the program behind it', () => {
    const texts = [english, readTexts(root, fileNames.manifest())].flatMap(file => Object.values(file)).map(getMessage);
    const displayed = texts.map(text => text.replace(/\(command:[^)]*\)|`[^`]*`/g, ''));
    const names = /sandbox|sample data|made.up (?:data|hours)|replayed data|demo data/gi;
    assert.deepEqual(
      displayed.filter(text => text.match(names)?.some(name => name !== 'Sample Data')),
      [],
    );
    assert.ok(displayed.some(text => text.includes('Sample Data')));
  });

  it('uses the terms of the glossary', () => {
    const rows = readFileSync(join(root, 'l10n/README.md'), 'utf8').split('## Glossary: Afrikaans')[1] ?? '';
    const terms = [...rows.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|/gm)].map(([, term = '', word = '']) => [term, word]);
    const glossary = terms.filter(([term = '']) => term !== 'English' && !term.startsWith('-'));
    assert.ok(glossary.length > 15);
    const wrong = listTranslatedFiles(root, english).flatMap(file =>
      Object.entries(file.translated).flatMap(([key, text]) => {
        // Code, names of fields and paths stay as they are.
        const source = getMessage(file.english[key] ?? '').replace(/"\w+"|`[^`]*`|\S*\/\S*/g, '');
        const translated = getMessage(text).toLowerCase();
        return glossary
          .filter(([term = '']) => new RegExp(`\\b${term}s?\\b`, 'i').test(source))
          .filter(([, word = '']) => !translated.includes(word.toLowerCase()))
          .map(([term]) => `${term}: ${source} → ${getMessage(text)}`);
      }),
    );
    assert.deepEqual(wrong, []);
  });
});

describe('a source', () => {
  const extract = (code: string) => {
    const { texts, computed } = findTexts(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true));
    return { keys: texts.map(([key]) => key), computed: computed.length };
  };

  it('extracts texts of all forms of calls', () => {
    const code = "t('a'); t('b {0}', x); t(`c`); t(x ? 'd' : 'e', t('f')); other.t('no'); set('no');";
    assert.deepEqual(extract(code), { keys: ['a', 'b {0}', 'c', 'd', 'e', 'f'], computed: 0 });
  });

  it('extracts a text with translator comments under the key that is looked up', () => {
    const source = "t({ message: 'Run', args: [1], comment: ['verb', 'short'] }); t({ message: 'Go' });";
    const { texts } = findTexts(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true));
    assert.deepEqual(texts, [
      ['Run/verbshort', { message: 'Run', comment: ['verb', 'short'] }],
      ['Go', 'Go'],
    ]);
  });

  it('reports a text that is concatenated', () => {
    assert.deepEqual(extract("t(x); t('a' + 'b'); t(`a ${b}`); t(c ? 'd' : e);"), { keys: ['d'], computed: 4 });
  });
});

describe('a translation', () => {
  const findFaults = (source: string, translation: Record<string, string>) =>
    findProblems({ name: 'x.json', english: { [source]: source }, translated: translation });

  it('checks that a translation is complete, with nothing extra and with its placeholders', () => {
    assert.deepEqual(findFaults('{0} of {1}…', { '{0} of {1}…': '{1}: {0}…' }), []);
    assert.match(findFaults('Run', {}).join(), /lacks "Run"/);
    assert.match(findFaults('Run', { Run: 'Loop', Old: 'Oud' }).join(), /has "Old", which no source uses/);
    assert.match(findFaults('{0} rows', { '{0} rows': 'rye' }).join(), /has other/);
    assert.match(findFaults('{0} rows', { '{0} rows': '{0} {1} rye' }).join(), /has other/);
    assert.match(findFaults('Save…', { 'Save…': 'Stoor' }).join(), /has other/);
    assert.match(findFaults('Left. ', { 'Left. ': 'Weg.' }).join(), /has other/);
    assert.match(findFaults('[Go](command:a)', { '[Go](command:a)': '[Gaan](command:b)' }).join(), /has other/);
    assert.match(findFaults('Run', { Run: ' ' }).join(), /is empty at "Run"/);
  });
});

describe('the pseudo language', () => {
  it('marks, lengthens and accents a text, and keeps placeholders and links', () => {
    assert.equal(toPseudoText('{0} rows'), '⟦{0} rówš~~⟧');
    assert.equal(toPseudoText('[Run](command:a)'), '⟦[Rúñ](command:a)~~⟧');
  });
});
