import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';

/** An import of a file, or a re-export. `target` is the module specifier as written. */
export interface Import {
  readonly target: string;
  readonly kind: 'static' | 'type' | 'dynamic' | 'default' | 'star';
}

/** Imports of every form: statements, re-exports, `import()`, `require()`, `import x = require()` and `import('…').Type`. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  // Whatever stands deeper than a statement is such a call: to look for them in every file takes half a second.
  if (!/\b(?:import|require)\b\s*[(/]/.test(text)) return source.statements.flatMap(importOf);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...importOf(node));
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): Import[] {
  if (ts.isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return [{ target: textOf(node.moduleSpecifier), kind: typeOnly ? 'type' : 'static' }];
  }
  if (ts.isExportDeclaration(node)) {
    const target = textOf(node.moduleSpecifier);
    const named = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined;
    if (!named) return [{ target, kind: 'star' }];
    const hidden = named.some(({ name }) => name.text === 'default');
    const kind = hidden ? 'default' : node.isTypeOnly ? 'type' : 'static';
    return target !== '' || hidden ? [{ target, kind }] : [];
  }
  if (ts.isExportAssignment(node)) return [{ target: '', kind: 'default' }];
  if (ts.canHaveModifiers(node)) {
    const isDefault = ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) return [{ target: '', kind: 'default' }];
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return [{ target: textOf(node.moduleReference.expression), kind: 'static' }];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return [{ target: textOf(node.argument.literal), kind: 'type' }];
  if (!ts.isCallExpression(node)) return [];
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  if (!isImport && !isRequire) return [];
  // A computed name is a module of its own kind: no floor allows it.
  return [{ target: textOf(node.arguments[0]) || './computed', kind: isImport ? 'dynamic' : 'static' }];
}

function textOf(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : '';
}
