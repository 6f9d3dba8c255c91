import type { SavedTree } from './savedItem.ts';

/** "Name copy", "Name copy 2": the first that no sibling has. A copy of a copy counts on from it. */
export function copyNameIn(
  siblings: SavedTree,
  name: string,
  copyName: (name: string, n: number) => string = (base, n) => (n === 1 ? `${base} copy` : `${base} copy ${n}`),
): string {
  return firstFree(siblings, n => copyName(name.replace(/ copy(?: \d+)?$/, ''), n));
}

function firstFree(siblings: SavedTree, nameOf: (n: number) => string): string {
  return takeFree(nameOf, new Set(siblings.map(({ name }) => name)), new Map());
}

/**
 * Takes the first name that is not taken, for n from 1 on. `numbers` holds for each first name where to go on looking: many of one
 * name are numbered in one pass.
 */
export function takeFree(nameOf: (n: number) => string, taken: Set<string>, numbers: Map<string, number>): string {
  const first = nameOf(1);
  let n = numbers.get(first) ?? 1;
  while (taken.has(nameOf(n))) n += 1;
  numbers.set(first, n + 1);
  const name = nameOf(n);
  taken.add(name);
  return name;
}
