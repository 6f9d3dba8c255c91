/** @import { DashboardState } from '../shape.ts' */
/** @import { Terms } from './termsForm.js' */

const timeoutMs = 10_000;

/** A refusal of the sandbox. `status` is 0 where there was no response. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} sentence
   */
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Throws a Refusal.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
async function ask(method, path, body) {
  const response = await fetch(`dashboard/api/${path}`, {
    method,
    headers: { 'x-sandbox-dashboard': '1', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new Refusal(
      0,
      'The sandbox does not respond. If it was stopped, start it again and sign in with its new link.',
    );
  });
  if (response.status === 204) return undefined;
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refusal(response.status, answer.detail ?? `The sandbox answered ${response.status}.`);
}

/** @param {string} token */
export const signIn = async token => void (await ask('POST', 'session', { token }));

export const signOut = async () => void (await ask('DELETE', 'session'));

/**
 * @param {string} chartOf The prefix of the key whose chart to return; empty for the one used last.
 * @returns {Promise<DashboardState>}
 */
export const getState = async chartOf =>
  /** @type {DashboardState} */ (
    await ask('GET', chartOf === '' ? 'state' : `state?key=${encodeURIComponent(chartOf)}`)
  );

/**
 * @param {string} name
 * @param {Terms} terms
 * @returns {Promise<{ name: string, prefix: string, value: string }>}
 */
export const createKey = async (name, terms) =>
  /** @type {{ name: string, prefix: string, value: string }} */ (await ask('POST', 'keys', { name, ...terms }));

/**
 * What the key of that prefix may do from now on.
 * @param {string} prefix
 * @param {Terms} terms
 */
export const setTerms = async (prefix, terms) => void (await ask('POST', 'keys/terms', { prefix, ...terms }));

/**
 * The active keys with this prefix or name.
 * @param {string} which
 * @returns {Promise<{ name: string, prefix: string }[]>}
 */
export const matchingKeys = async which =>
  /** @type {{ name: string, prefix: string }[]} */ (await ask('POST', 'keys/matching', { which }));

/**
 * Returns how many keys were revoked.
 * @param {string} which
 * @returns {Promise<number>}
 */
export const revokeKeys = async which =>
  /** @type {{ revoked: number }} */ (await ask('POST', 'keys/revoke', { which })).revoked;

/**
 * Replaces all faults.
 * @param {string} rules
 */
export const setFaults = async rules => void (await ask('POST', 'faults', { rules }));
