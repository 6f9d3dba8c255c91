import { createHash } from 'node:crypto';

/** SHA-256 in hex: what is kept of a secret of 128 random bits or more, which a plain hash hides well enough. */
export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
