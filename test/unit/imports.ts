import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';

/** An import of a file, or a re-export. `target` is the module specifier as written. */
export interface Import {
  readonly target: string;
  readonly kind: 'static' | 'type' | 'dynamic' | 'default' | 'star';
}

/** Lists imports of every form: statements, re-exports, `import()`, `require()`, `import x = require()` and `import('…').Type`. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  // All other imports are calls or types. The tree is only searched for them if the text contains one, since this takes half a second.
  if (!/\b(?:import|require)\b\s*[(/]/.test(text)) return source.statements.flatMap(parseImport);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    imports.push(...parseImport(node));
    node.forEachChild(visit);
  };
  visit(source);
  return imports;
}

function parseImport(node: ts.Node): Import[] {
  if (ts.isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return [{ target: readLiteral(node.moduleSpecifier), kind: typeOnly ? 'type' : 'static' }];
  }
  if (ts.isExportDeclaration(node)) {
    const target = readLiteral(node.moduleSpecifier);
    const namedBindings =
      node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined;
    if (!namedBindings) return [{ target, kind: 'star' }];
    const isTypeSpecifier = namedBindings.some(({ name }) => name.text === 'default');
    const kind = isTypeSpecifier ? 'default' : node.isTypeOnly ? 'type' : 'static';
    return target !== '' || isTypeSpecifier ? [{ target, kind }] : [];
  }
  if (ts.isExportAssignment(node)) return [{ target: '', kind: 'default' }];
  if (ts.canHaveModifiers(node)) {
    const isDefault = ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) return [{ target: '', kind: 'default' }];
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
    return [{ target: readLiteral(node.moduleReference.expression), kind: 'static' }];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return [{ target: readLiteral(node.argument.literal), kind: 'type' }];
  if (!ts.isCallExpression(node)) return [];
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  if (!isImport && !isRequire) return [];
  // A computed specifier is treated as a module that no layer may import.
  return [{ target: readLiteral(node.arguments[0]) || './computed', kind: isImport ? 'dynamic' : 'static' }];
}

function readLiteral(node: ts.Node | undefined): string {
  return node && ts.isStringLiteralLike(node) ? node.text : '';
}
