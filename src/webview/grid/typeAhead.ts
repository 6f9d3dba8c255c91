/** The label that typed letters mean, starting from the one at `now`; one letter again and again goes through all that begin with it. */
export function typedItem(labels: readonly string[], typed: string, now: number): number | undefined {
  const wanted = typed.toLowerCase();
  const same = wanted === wanted.charAt(0).repeat(wanted.length);
  const start = same ? now + 1 : now;
  const prefix = same ? wanted.slice(0, 1) : wanted;
  for (let step = 0; step < labels.length; step++) {
    const index = (start + step + labels.length) % labels.length;
    if (labels[index]?.toLowerCase().startsWith(prefix)) return index;
  }
  return undefined;
}
