/** The name, with a number behind it where it is taken. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return free;
}

/** The names, each once, for formats in which two columns cannot have the same. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const free = uniqueName(name, taken);
    taken.add(free);
    return free;
  });
}
