import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../../../scripts/paths.ts';
import { analysisSchema } from '../../../../src/core/analysis/analysisSchema.ts';
import { queriedDatasets } from '../../../../src/core/query/catalogue.ts';
import { queryToolName, tools } from '../../../../src/host/ids.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  contributes: {
    chatSkills: { path: string }[];
    languageModelTools: { name: string; inputSchema: { properties: Record<string, { properties?: object }> } }[];
  };
};
const { chatSkills, languageModelTools } = manifest.contributes;

describe('the chat skill', () => {
  const [skill, ...others] = chatSkills;
  const path = skill?.path ?? '';
  const text = readFileSync(join(root, path), 'utf8');
  const codeSpans = Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

  it('is the only one, is in the package, and has the name of its folder', () => {
    assert.deepEqual(others, []);
    assert.ok(readFileSync(join(root, '.vscodeignore'), 'utf8').includes(`!${path.replace('./', '')}\n`));
    const [, name, description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    assert.equal(name, basename(dirname(path)));
    assert.ok(description.length > 100 && description.length <= 1_024, `${description.length} characters`);
    assert.ok(text.split('\n').length <= 81);
  });

  it('names all tools, and no others', () => {
    const named = new Set(codeSpans.filter(code => code.startsWith('gridData')));
    const expected = [...queriedDatasets.map(({ id }) => queryToolName(id)), ...Object.values(tools)];
    assert.deepEqual([...named].sort(), expected.sort());
  });

  it('names only fields, inputs and operations that exist', () => {
    const known = new Set(['null', 'value', '1d', '1d@SAST', 'hourOfDay', 'share(x, total)']);
    for (const { fields } of queriedDatasets) for (const name of fields.keys()) known.add(name);
    for (const { inputSchema } of languageModelTools)
      for (const [name, { properties = {} }] of Object.entries(inputSchema.properties))
        for (const input of [name, ...Object.keys(properties)]) known.add(input);
    const unknown = codeSpans.filter(code => !known.has(code) && !code.startsWith('gridData') && !code.startsWith('{'));
    assert.deepEqual(unknown, []);
    const columns = Array.from(text.matchAll(/\b\w+_(?:mw|pct)\b/g), ([name]) => name);
    assert.deepEqual(
      columns.filter(name => !known.has(name)),
      [],
    );
  });

  it('has examples of analyses that can be read', () => {
    const examples = codeSpans.filter(code => code.startsWith('{'));
    assert.ok(examples.length >= 8, `${examples.length} examples`);
    for (const example of examples) assert.ok(v.is(analysisSchema, JSON.parse(example)), example);
  });
});
