import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { fileLimits, type FileProblem } from './fileProblem.ts';
import { claimFreeName } from '../savedItem.ts';

/** A property of an object in the file. */
export interface PropertyNode {
  readonly name: string;
  /** The node of the whole property: name, colon and value. */
  readonly node: Node;
  readonly value: Node;
}

/** Parses JSON with comments and trailing commas, ignoring a byte order mark. */
export function parseText(text: string): { readonly root: Node | undefined; readonly problems: FileProblem[] } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, { allowTrailingComma: true, allowEmptyContent: true });
    return {
      root,
      problems: errors
        .slice(0, fileLimits.problems)
        .map(({ error, offset, length }) => createSyntaxProblem(offset, length, printParseErrorCode(error))),
    };
  } catch {
    // The parser is recursive: too deep nesting overflows the stack.
    return { root: undefined, problems: [createSyntaxProblem(0, 1, 'nested too deeply')] };
  }
}

export function listProperties(node: Node): PropertyNode[] {
  return listMembers(node).flatMap(property => toProperty(property) ?? []);
}

/** Returns the property of this name; the last one if there are several, as in `JSON.parse`. */
export function findProperty(node: Node, name: string): PropertyNode | undefined {
  const last = listMembers(node).findLast(({ children = [] }) => children.length > 1 && children[0]?.value === name);
  return last && toProperty(last);
}

function listMembers(node: Node): readonly Node[] {
  return node.type === 'object' ? (node.children ?? []) : [];
}

function toProperty(node: Node): PropertyNode | undefined {
  const [name, value] = node.children ?? [];
  return name && value && { name: String(name.value), node, value };
}

export function getValue(node: Node | undefined): unknown {
  return node && (getNodeValue(node) as unknown);
}

export function nodeEnd({ offset, length }: Pick<Node, 'offset' | 'length'>): number {
  return offset + length;
}

function createSyntaxProblem(offset: number, length: number, part: string): FileProblem {
  return { code: 'notJson', offset, length, part, severity: 'error' };
}

/** The parts of an entry that its id depends on. */
export interface IdClaim {
  /** The id in the file; undefined if there is none. */
  readonly writtenId: string | undefined;
  readonly kind: 'query' | 'folder';
  readonly name: string;
}

export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{1,64}$/.test(text);
}

/**
 * Returns a unique id for each entry, given in file order. An entry that was written by hand has no id, and a copied entry has the id of
 * the original. Both get an id from their kind, their name and their number among the entries of that name, so that they get the same id
 * the next time.
 */
export function assignIds(claims: readonly IdClaim[]): string[] {
  const usedIds = new Set<string>();
  const numbers = new Map<string, number>();
  const ids = claims.map(({ writtenId }) => {
    if (!isId(writtenId) || usedIds.has(writtenId)) return undefined;
    usedIds.add(writtenId);
    return writtenId;
  });
  return ids.map((id, index) => {
    if (id !== undefined) return id;
    const { kind, name } = claims[index] as IdClaim;
    const stem = `n${hashText(`${kind} ${name}`).toString(36)}`;
    return claimFreeName(n => (n === 1 ? stem : `${stem}-${n - 1}`), usedIds, numbers);
  });
}

/** Returns the FNV-1a hash of the UTF-16 units, which is short and stable. `claimFreeName` resolves collisions. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
