/** Whether two hold the very same parts, whoever put them together. */
export function sameParts<Whole extends object>(one: Whole, other: Whole): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof Whole)[];
  return names.every(name => Object.is(one[name], other[name]));
}
