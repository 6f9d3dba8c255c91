/** Why a text is no API key; the host has one sentence for each. */
export const keyProblems = ['empty', 'tooShort', 'tooLong', 'characters'] as const;
export type KeyProblem = (typeof keyProblems)[number];

export type KeyResult = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly why: KeyProblem };

/** Trims a pasted key and checks that it can go into a header unchanged: an HTTP library would repair it silently. */
export function normaliseKey(text: string): KeyResult {
  const key = text.trim();
  if (key === '') return { ok: false, why: 'empty' };
  if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, why: 'characters' };
  if (key.length < 8) return { ok: false, why: 'tooShort' };
  if (key.length > 256) return { ok: false, why: 'tooLong' };
  return { ok: true, key };
}

/** The part of a key that may be shown, "ps_live_3f8a…": its public segments and four characters, at most a third of it. */
export function keyPrefix(key: string): string {
  const segments = /^(?:[A-Za-z0-9]{1,12}_){0,2}/.exec(key)?.[0] ?? '';
  return `${key.slice(0, Math.min(segments.length + 4, Math.floor(key.length / 3)))}…`;
}
