import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { dataTexts } from './dataTexts.ts';

/** A text of the English bundle: under its own words or, with comments for translators, as VS Code and the page look it up. */
export type BundleText = string | { readonly message: string; readonly comment: readonly string[] };
export type Bundle = Readonly<Record<string, BundleText>>;

interface Found {
  readonly texts: readonly (readonly [key: string, text: BundleText])[];
  /** Calls whose text is not written in place. */
  readonly computed: readonly ts.Node[];
}

/**
 * Every text that the sources hand to `t`, and `more`, sorted. Throws an Error that names each call whose text cannot be read
 * off.
 */
export function sourceBundle(root: string, more: readonly string[]): Bundle {
  const texts = new Map<string, BundleText>(more.map(text => [text, text]));
  const problems: string[] = [];
  const unused = new Set(Object.keys(dataTexts));
  for (const file of sourceFiles(root)) {
    const code = readFileSync(join(root, file), 'utf8');
    // Most files have no such word, and to parse them takes a second.
    if (!/\bt\b/.test(code)) continue;
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    const found = textsOf(source);
    for (const [key, text] of found.texts) texts.set(key, text);
    if (found.computed.length > 0 && unused.delete(file))
      for (const text of dataTexts[file] ?? []) texts.set(text, text);
    else problems.push(...found.computed.map(node => `${placeOf(node, source)}: ${node.getText(source)}`));
  }
  if (problems.length > 0) throw new Error(`No text can be read off:\n${problems.join('\n')}\nWrite it in place.`);
  if (unused.size > 0) throw new Error(`No computed text is translated in ${[...unused].join(', ')}.`);
  return Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The texts of one source. */
export function textsOf(source: ts.SourceFile): Found {
  const texts: [string, BundleText][] = [];
  const computed: ts.Node[] = [];
  const take = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push([node.text, node.text]);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(take);
    else {
      const commented = ts.isObjectLiteralExpression(node) && withComments(node);
      if (commented) texts.push(commented);
      else computed.push(node);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't') {
      const [first] = node.arguments;
      if (first) take(first);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return { texts, computed };
}

/** `{ message, comment }`, under the key that both libraries make of it. */
function withComments(node: ts.ObjectLiteralExpression): [string, BundleText] | undefined {
  const value = (name: string): ts.Expression | undefined =>
    node.properties.filter(ts.isPropertyAssignment).find(property => property.name.getText() === name)?.initializer;
  const [message, comment] = [value('message'), value('comment')];
  if (!message || !ts.isStringLiteralLike(message)) return undefined;
  if (!comment) return [message.text, message.text];
  const lines = ts.isArrayLiteralExpression(comment) ? comment.elements : [comment];
  if (!lines.every(ts.isStringLiteralLike)) return undefined;
  const comments = lines.map(line => (line as ts.StringLiteral).text);
  return [`${message.text}/${comments.join('')}`, { message: message.text, comment: comments }];
}

function sourceFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(path => `src/${path.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.ts'))
    .sort();
}

function placeOf(node: ts.Node, source: ts.SourceFile): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}
