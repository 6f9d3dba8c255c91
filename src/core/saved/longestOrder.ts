/**
 * Which elements stay where they are when a list is put into another order: the most of them that keep their order.
 * `before[i]` is where the element that is now the i-th was; undefined for one that is new.
 */
export function longestOrder(before: readonly (number | undefined)[]): boolean[] {
  // Patience sorting: `tails[n]` is the index of the smallest last element of an ascending run of n + 1 elements.
  const tails: number[] = [];
  const previous = new Array<number | undefined>(before.length);
  for (const [index, place] of before.entries()) {
    if (place === undefined) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((before[tails[middle] as number] as number) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  }
  const stays = new Array<boolean>(before.length).fill(false);
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stays[index] = true;
  return stays;
}
