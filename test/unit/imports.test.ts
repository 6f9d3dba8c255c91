import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, type Import } from './imports.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

describe('importsOf', () => {
  const cases: readonly (readonly [code: string, kind: Import['kind'], target: string])[] = [
    ["import './a.ts';", 'static', './a.ts'],
    ["import a, { b as c } from 'a';", 'static', 'a'],
    ["import { type A } from 'a';", 'static', 'a'],
    ["import type { A } from 'vscode';", 'type', 'vscode'],
    ["import type * as v from\n'vscode';", 'type', 'vscode'],
    ["export { a } from './a.ts';", 'static', './a.ts'],
    ["export type { A } from './a.ts';", 'type', './a.ts'],
    ["type A = import('vscode').Uri;", 'type', 'vscode'],
    ["const a = await import('./a.ts');", 'dynamic', './a.ts'],
    ['const a = await import(name);', 'dynamic', './computed'],
    ["const a = require('vscode');", 'static', 'vscode'],
    ["import a = require('vscode');", 'static', 'vscode'],
    ["export * from './a.ts';", 'star', './a.ts'],
    ["export * as a from './a.ts';", 'star', './a.ts'],
    ['export default 1;', 'default', ''],
    ['export default class A {}', 'default', ''],
    ['const a = 1; export { a as default };', 'default', ''],
  ];
  for (const [code, kind, target] of cases)
    it(`returns a ${kind} import for ${JSON.stringify(code)}`, () => {
      assert.deepEqual(scanCode(code), [{ target, kind }]);
    });

  it('returns no imports for comments, string literals and named exports', () => {
    assert.deepEqual(scanCode("// import 'a'\nconst b = \"import 'c'\";\nexport const d = 1; export { b };"), []);
  });

  function scanCode(code: string): Import[] {
    const file = join(createTemporaryFolder(), 'scanned.ts');
    writeFileSync(file, code);
    return importsOf(file);
  }
});
