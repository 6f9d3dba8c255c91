import { createHash } from 'node:crypto';

/** Names the budget of one key in one scope of one service, without holding the key. */
export function scopeKeyOf(origin: string, key: string, scope: string): string {
  return createHash('sha256')
    .update(JSON.stringify([origin, key, scope]))
    .digest('hex');
}
