import type { SavedTree } from './savedItem.ts';

/** "Name copy", "Name copy 2": the first that no sibling has. A copy of a copy counts on from it. */
export function copyNameIn(
  siblings: SavedTree,
  name: string,
  copyName: (name: string, n: number) => string = (base, n) => (n === 1 ? `${base} copy` : `${base} copy ${n}`),
): string {
  return firstFree(siblings, n => copyName(name.replace(/ copy(?: \d+)?$/, ''), n));
}

/** The name, or where a sibling has it, "Name 2", "Name 3". */
export function freeNameIn(siblings: SavedTree, name: string): string {
  return firstFree(siblings, n => (n === 1 ? name : `${name} ${n}`));
}

function firstFree(siblings: SavedTree, nameOf: (n: number) => string): string {
  const taken = new Set(siblings.map(({ name }) => name));
  let n = 1;
  while (n <= taken.size && taken.has(nameOf(n))) n += 1;
  return nameOf(n);
}
