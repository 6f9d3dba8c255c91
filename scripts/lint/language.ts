// The words that names and comments avoid, and what to write instead. docs/architecture.md defines the few terms of the project's own.

interface BannedName {
  /** Matches a whole name, without `#`. */
  readonly pattern: RegExp;
  readonly instead: string;
}

const bannedNames: readonly BannedName[] = [
  { pattern: /^own([A-Z]\w*)?$/, instead: 'what it belongs to: tabRows, localSnoozes, customRange' },
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

/** Names of VS Code's API, and fields whose names are part of a stored format. */
const allowedNames: readonly string[] = ['placeHolder', 'askedAt', 'metaAskedAt', 'minCoverage'];

const fragment = /^(What|Of|As|Those|Whose|Who)\b/;

/** Finds what to call a thing instead, if its name is banned. */
export function suggestName(name: string): string | undefined {
  if (allowedNames.includes(name)) return undefined;
  return bannedNames.find(({ pattern }) => pattern.test(name))?.instead;
}

/** Whether a comment is probably a fragment without subject and verb. */
export function isFragment(comment: string): boolean {
  return fragment.test(comment.replace(/^[\s*]+/, ''));
}
