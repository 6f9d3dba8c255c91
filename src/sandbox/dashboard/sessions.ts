import type { Clock } from '../../core/ports.ts';
import { minuteMs } from '../../shared/durations.ts';
import { hashOf, type RandomBytes } from '../keys/keyRing.ts';

/** How long the token of a link is valid, in minutes. */
export const tokenMinutes = 10;
/** The most tokens, and the most sessions: the oldest is removed for a new one. */
const mostKept = 100;

/**
 * The sessions of the dashboard. A link has a token that works once, for a short time; a session ends with the process, or
 * when the person signs out. Both are stored as hashes.
 */
export class DashboardSessions {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #randomBytes: RandomBytes;
  /** The end of each token, UTC milliseconds. */
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Set<string>();

  constructor(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes) {
    this.#clock = clock;
    this.#randomBytes = randomBytes;
  }

  issueToken(): string {
    const token = this.#secret();
    this.#tokens.set(hashOf(token), this.#clock.now() + tokenMinutes * minuteMs);
    dropOldest(this.#tokens);
    return token;
  }

  /** A new session for a token that was not used yet; undefined for any other. */
  exchange(token: string): string | undefined {
    const hash = hashOf(token);
    const end = this.#tokens.get(hash);
    this.#tokens.delete(hash);
    if (end === undefined || this.#clock.now() >= end) return undefined;
    const session = this.#secret();
    this.#sessions.add(hashOf(session));
    dropOldest(this.#sessions);
    return session;
  }

  isOpen(session: string | undefined): boolean {
    return session !== undefined && this.#sessions.has(hashOf(session));
  }

  end(session: string): void {
    this.#sessions.delete(hashOf(session));
  }

  #secret(): string {
    return Buffer.from(this.#randomBytes(32)).toString('base64url');
  }
}

/** Maps and sets keep the order in which things came. */
function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}
