/** What a chart's axis has to show of these values; around a single one, some room. */
export function valueRange(values: readonly number[]): readonly [least: number, greatest: number] {
  const least = Math.min(...values);
  const greatest = Math.max(...values);
  if (!(least <= greatest)) return [0, 1];
  const room = Math.abs(least) / 10 || 1;
  return least < greatest ? [least, greatest] : [least - room, greatest + room];
}
