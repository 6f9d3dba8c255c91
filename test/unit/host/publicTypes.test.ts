import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import ts from '@typescript/typescript6';
import type { GridDataAnalysis } from '../../../api/grid-data-inspector.d.ts';
import { analysisSchema } from '../../../src/core/analysis/analysisSchema.ts';
import type { Analysis } from '../../../src/shared/analysis.ts';
import { failureReasons } from '../../../src/core/errors.ts';
import { root } from '../../../scripts/paths.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';

const shipped = join(root, 'api/grid-data-inspector.d.ts');
const types = readFileSync(shipped, 'utf8');
const guide = readFileSync(join(root, 'docs/api.md'), 'utf8');

describe('the types of the public API', () => {
  const example = /## From your extension[^]*?```ts\n([^]*?)```/.exec(guide)?.[1] ?? '';

  let problems: ReadonlyMap<string, string>;

  before(async function () {
    this.timeout(120_000);
    problems = await compileConsumers({
      example,
      otherCall: example.replace('grid.query(', 'grid.ask('),
      otherValue: example.replace("'systemState'", '7'),
    });
  });

  it('compiles the example of the guide for a consumer with strict settings', () => {
    assert.ok(example.includes('grid.query('));
    assert.equal(problems.get('example'), '');
  });

  it('rejects a call of an undeclared function', () => {
    assert.match(problems.get('otherCall') ?? '', /'ask' does not exist/);
    assert.match(problems.get('otherValue') ?? '', /not assignable to type 'string'/);
  });

  it('declares every failure reason without other imports', () => {
    assert.doesNotMatch(types, /\bimport\b/);
    const reasons = /type GridDataReason =([^;]*);/.exec(types)?.[1]?.match(/\w+/g) ?? [];
    assert.deepEqual(new Set(reasons), new Set([...failureReasons, 'badInput']));
  });

  it('declares the same analysis as the schema', () => {
    // These two functions only compile if the types are equal.
    const toOurs = (declared: GridDataAnalysis): Omit<Analysis, 'compare'> => declared;
    const toDeclared = (ours: Omit<Analysis, 'compare'>): GridDataAnalysis => ours;
    const find = { column: 'wind_mw', rule: { kind: 'condition', condition: 'wind_mw < 500' } } as const;
    assert.ok(v.is(analysisSchema, toDeclared(toOurs({ find, limit: 5 }))));
  });

  it('declares no name that could hold a key or an address', () => {
    const names = [...types.matchAll(/(\w+)\??(?::|\()/g)].map(([, name = '']) => name);
    assert.ok(names.length > 40);
    assert.deepEqual(
      names.filter(name => /key|secret|token|baseUrl/i.test(name)),
      [],
    );
  });
});

/** Compiles each consumer next to a copy of the types. Returns the compiler's messages by file name. */
async function compileConsumers(consumers: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const folder = createTemporaryFolder();
  await writeFile(join(folder, 'grid-data-inspector.d.ts'), types);
  for (const [name, code] of Object.entries(consumers)) await writeFile(join(folder, `${name}.ts`), code);
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipDefaultLibCheck: true,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node', 'vscode'],
    lib: ['lib.es2022.d.ts'],
  };
  const names = Object.keys(consumers);
  const program = ts.createProgram(
    names.map(name => join(folder, `${name}.ts`)),
    options,
  );
  const common = program.getOptionsDiagnostics();
  return new Map(
    names.map(name => {
      const source = program.getSourceFile(join(folder, `${name}.ts`));
      const found = [...common, ...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return [name, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n')];
    }),
  );
}
