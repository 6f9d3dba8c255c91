/** Whether a version is for the pre-release channel: those have an odd minor number, as VS Code recommends. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** Returns the changelog's section for a version, or undefined if it is missing or empty. */
export function findChanges(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find(text => /^\S+/.exec(text)?.[0] === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
