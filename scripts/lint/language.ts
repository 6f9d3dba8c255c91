// Words to avoid in names and comments, with replacements. docs/architecture.md defines the terms that are specific to this project.

interface BannedName {
  /** Matches a whole name, without `#`. */
  readonly pattern: RegExp;
  /** The suggested replacement. */
  readonly instead: string;
}

const bannedNames: readonly BannedName[] = [
  { pattern: /^own([A-Z]\w*)?$/, instead: 'the name of the owner: tabRows, localSnoozes, customRange' },
  { pattern: /^(asked|wanted)([A-Z]\w*)?$/, instead: 'requested or expected' },
  { pattern: /^(tell|told|say|said)([A-Z]\w*)?$/, instead: 'message, reported, shown text or translate' },
  { pattern: /^kept([A-Z]\w*)?$/, instead: 'archived, stored or retained' },
  { pattern: /^made([A-Z]\w*)?$/, instead: 'created or built' },
  { pattern: /^(most|greatest)([A-Z]\w*)?$/, instead: 'max…' },
  { pattern: /^least([A-Z]\w*)?$/, instead: 'min…' },
  { pattern: /^places?([A-Z]\w*)?$|Places?$/, instead: 'position, index, destination or location' },
  { pattern: /^(odd|lonely|crowd|lack|stretch|hull|twin|stranger|affair)([A-Z]\w*)?$/, instead: 'the usual term' },
  {
    pattern: /^(text|name|kind|place|value|sentence)sOf$|^(text|name|kind|place|value|sentence)Of$/,
    instead: 'a verb: format, find, parse',
  },
];

/** Names in VS Code's API, and names of fields in stored formats. */
const allowedNames: readonly string[] = ['placeHolder', 'askedAt', 'metaAskedAt', 'minCoverage'];

/** Matches the beginning of a comment that is probably not a sentence. */
const fragment = /^(What|Of|As|Those|Whose|Who)\b/;

/** Returns a suggested replacement if a name is banned. */
export function suggestName(name: string): string | undefined {
  if (allowedNames.includes(name)) return undefined;
  return bannedNames.find(({ pattern }) => pattern.test(name))?.instead;
}

/** Returns whether a comment is probably not a full sentence. */
export function isFragment(comment: string): boolean {
  return fragment.test(comment.replace(/^[\s*]+/, ''));
}
