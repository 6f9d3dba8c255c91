import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { dataTexts } from './dataTexts.ts';

/** A text of the English bundle. Texts with comments for translators have a different key, which VS Code and the page derive. */
export type BundleText = string | { readonly message: string; readonly comment: readonly string[] };
export type Bundle = Readonly<Record<string, BundleText>>;

interface SourceTexts {
  readonly texts: readonly (readonly [key: string, text: BundleText])[];
  /** Calls of `t` whose argument is no literal. */
  readonly computed: readonly ts.Node[];
}

/** Creates the sorted bundle of all texts that the sources pass to `t`, and `otherTexts`. Throws an Error that lists calls without a literal. */
export function createSourceBundle(root: string, otherTexts: readonly string[]): Bundle {
  const texts = new Map<string, BundleText>(otherTexts.map(text => [text, text]));
  const problems: string[] = [];
  const unusedDataFiles = new Set(Object.keys(dataTexts));
  for (const file of listSourceFiles(root)) {
    const code = readFileSync(join(root, file), 'utf8');
    // Most files call no `t`. Parsing them would take a second.
    if (!/\bt\b/.test(code)) continue;
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    const found = findTexts(source);
    for (const [key, text] of found.texts) texts.set(key, text);
    if (found.computed.length > 0 && unusedDataFiles.delete(file))
      for (const text of dataTexts[file] ?? []) texts.set(text, text);
    else problems.push(...found.computed.map(node => `${formatLocation(node, source)}: ${node.getText(source)}`));
  }
  if (problems.length > 0) throw new Error(`These calls of t need a literal text:\n${problems.join('\n')}`);
  if (unusedDataFiles.size > 0)
    throw new Error(`dataTexts.ts lists files that pass only literals to t: ${[...unusedDataFiles].join(', ')}.`);
  return Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function findTexts(source: ts.SourceFile): SourceTexts {
  const texts: [string, BundleText][] = [];
  const computed: ts.Node[] = [];
  const addText = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push([node.text, node.text]);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(addText);
    else {
      const commentedText = ts.isObjectLiteralExpression(node) && parseCommentedText(node);
      if (commentedText) texts.push(commentedText);
      else computed.push(node);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      const [first] = node.arguments;
      if (first) addText(first);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return { texts, computed };
}

/** Parses `{ message, comment }`. The key is the one that both l10n libraries derive from it. */
function parseCommentedText(node: ts.ObjectLiteralExpression): [string, BundleText] | undefined {
  const value = (name: string): ts.Expression | undefined =>
    node.properties.filter(ts.isPropertyAssignment).find(property => property.name.getText() === name)?.initializer;
  const message = value('message');
  const comment = value('comment');
  if (!message || !ts.isStringLiteralLike(message)) return undefined;
  if (!comment) return [message.text, message.text];
  const lines = ts.isArrayLiteralExpression(comment) ? comment.elements : [comment];
  if (!lines.every(ts.isStringLiteralLike)) return undefined;
  const comments = lines.map(line => (line as ts.StringLiteral).text);
  return [`${message.text}/${comments.join('')}`, { message: message.text, comment: comments }];
}

function listSourceFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(path => `src/${path.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.ts'))
    .sort();
}

function formatLocation(node: ts.Node, source: ts.SourceFile): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}
