import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { fileLimits } from './fileLimits.ts';
import type { FileProblem } from './fileProblem.ts';

/** A property of an object in the file. */
export interface PropertyNode {
  readonly name: string;
  /** Name, colon and value. */
  readonly node: Node;
  readonly value: Node;
}

/** Comments and a comma after the last element are allowed. A mark at the beginning of the text (BOM) is passed over. */
export function parseText(text: string): { readonly root: Node | undefined; readonly problems: FileProblem[] } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true, allowEmptyContent: true });
    return {
      root,
      problems: errors
        .slice(0, fileLimits.problems)
        .map(({ error, offset, length }) => notJson(offset, length, printParseErrorCode(error))),
    };
  } catch {
    // Nested so deeply that it cannot be read.
    return { root: undefined, problems: [notJson(0, 1, 'nested too deeply')] };
  }
}

export function propertiesOf(node: Node): PropertyNode[] {
  return elementsOf(node).flatMap(property => asProperty(property) ?? []);
}

/** The property that counts: of several with one name the last. */
export function propertyOf(node: Node, name: string): PropertyNode | undefined {
  const last = elementsOf(node).findLast(({ children = [] }) => children.length > 1 && children[0]?.value === name);
  return last && asProperty(last);
}

function elementsOf(node: Node): readonly Node[] {
  return node.type === 'object' ? (node.children ?? []) : [];
}

function asProperty(node: Node): PropertyNode | undefined {
  const [name, value] = node.children ?? [];
  return name && value && { name: String(name.value), node, value };
}

export function valueOf(node: Node | undefined): unknown {
  return node && (getNodeValue(node) as unknown);
}

export function endOf({ offset, length }: Pick<Node, 'offset' | 'length'>): number {
  return offset + length;
}

function notJson(offset: number, length: number, part: string): FileProblem {
  return { code: 'notJson', offset, length, part, severity: 'error' };
}
