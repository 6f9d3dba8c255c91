/** Whether a version is a pre-release. As VS Code recommends, pre-releases have an odd minor version. */
export function isPreRelease(version: string): boolean {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** Returns the changelog's section for a version, or undefined if it is missing or empty. */
export function findChanges(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find(text => /^\S+/.exec(text)?.[0] === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
