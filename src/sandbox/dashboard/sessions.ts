import type { Clock } from '../../core/ports.ts';
import { minuteMs } from '../../shared/durations.ts';
import { hashSecret, type RandomBytes } from '../keys/keyRing.ts';

/** The lifetime of the token of a link, in minutes. */
export const tokenMinutes = 10;
/** The maximum number of tokens and of sessions; the oldest is removed to make room. */
const maxEntries = 100;

/**
 * The sessions of the dashboard. A link has a token that works once, for a short time. A session ends with the process or at
 * sign-out. Both are stored as hashes.
 */
export class DashboardSessions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #randomBytes: RandomBytes;
  /** The expiry of each token, UTC milliseconds. */
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Set<string>();

  constructor(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes) {
    this.#clock = clock;
    this.#randomBytes = randomBytes;
  }

  issueToken(): string {
    const token = this.#generateSecret();
    this.#tokens.set(hashSecret(token), this.#clock.now() + tokenMinutes * minuteMs);
    dropOldest(this.#tokens);
    return token;
  }

  /** Exchanges an unused token for a new session; returns undefined for any other token. */
  exchange(token: string): string | undefined {
    const hash = hashSecret(token);
    const end = this.#tokens.get(hash);
    this.#tokens.delete(hash);
    if (end === undefined || this.#clock.now() >= end) return undefined;
    const session = this.#generateSecret();
    this.#sessions.add(hashSecret(session));
    dropOldest(this.#sessions);
    return session;
  }

  isOpen(session: string | undefined): boolean {
    return session !== undefined && this.#sessions.has(hashSecret(session));
  }

  end(session: string): void {
    this.#sessions.delete(hashSecret(session));
  }

  #generateSecret(): string {
    return Buffer.from(this.#randomBytes(32)).toString('base64url');
  }
}

/** Removes the oldest entry if there are too many. Maps and sets iterate in insertion order. */
function dropOldest(entries: Map<string, unknown> | Set<string>): void {
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
}
