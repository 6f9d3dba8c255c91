import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(scrypt) as (key: string, salt: string, length: number) => Promise<Buffer>;

/** Names a key at an origin without holding it; the same in every window. */
export type Fingerprint = (origin: string, key: string) => Promise<string>;

/** Slow to compute, so that a file's name does not help to guess the key; each is computed once. */
export function keyFingerprint(): Fingerprint {
  const known = new Map<string, Promise<string>>();
  return (origin, key) => {
    const index = createHash('sha256')
      .update(JSON.stringify([origin, key]))
      .digest('hex');
    let fingerprint = known.get(index);
    if (!fingerprint) {
      fingerprint = derive(key, origin, 20).then(bytes => bytes.toString('hex'));
      known.set(index, fingerprint);
    }
    return fingerprint;
  };
}
