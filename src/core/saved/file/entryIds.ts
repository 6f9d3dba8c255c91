import { takeFree } from '../names.ts';

/** An entry of the file as far as its id goes, in the order of the file. */
export interface IdClaim {
  /** As written in the file; undefined where there is none. */
  readonly written: string | undefined;
  readonly kind: 'query' | 'folder';
  readonly name: string;
}

export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{1,64}$/.test(text);
}

/**
 * One id an entry. An entry written by hand has none, and one that was copied has that of another: they are known by
 * their kind and name, and by how many of that name come before, so that the id is the same at the next reading.
 */
export function assignIds(claims: readonly IdClaim[]): string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const ids = claims.map(({ written }) => {
    if (!isId(written) || taken.has(written)) return undefined;
    taken.add(written);
    return written;
  });
  return ids.map((id, index) => {
    if (id !== undefined) return id;
    const { kind, name } = claims[index] as IdClaim;
    const stem = `n${fnv(`${kind} ${name}`).toString(36)}`;
    return takeFree(n => (n === 1 ? stem : `${stem}-${n - 1}`), taken, numbers);
  });
}

/** FNV-1a over UTF-16 units: short and stable; equal hashes are told apart by their number. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
