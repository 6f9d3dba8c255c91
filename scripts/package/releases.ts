/** Whether a version is for the pre-release channel: one with an odd minor number, as VS Code proposes. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** What a changelog says of a version; undefined where it has no section of it, or an empty one. */
export function changesOf(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find(text => /^\S+/.exec(text)?.[0] === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
