import assert from 'node:assert/strict';
import { NotChecked } from './client.ts';
import type { Answer, ContractClient } from './client.ts';

export type Row = Readonly<Record<string, unknown>>;

export const systemState = '/api/v1/grid/system-state';
export const gridStress = '/api/v1/features/grid-stress';
export const hourMs = 3_600_000;

/** The questions that clauses ask, each of them once: several clauses read one answer. */
export class Questions {
  readonly client: ContractClient;
  /** Of a range of two UTC days that the service has hours of, UTC milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly #asked = new Map<string, Promise<Answer>>();

  constructor(client: ContractClient, start: number) {
    this.client = client;
    this.start = start;
    this.end = start + 48 * hourMs;
  }

  get range(): string {
    return `start=${iso(this.start)}&end=${iso(this.end)}`;
  }

  async state(query = this.range): Promise<Answer> {
    return this.#once('normalized_data', `${systemState}?${query}`);
  }

  async stress(query = this.range): Promise<Answer> {
    return this.#once('features', `${gridStress}?${query}`);
  }

  async #once(scope: string, path: string): Promise<Answer> {
    const known = this.#asked.get(path);
    if (known) return known;
    const asked = this.client.ask(scope, path);
    this.#asked.set(path, asked);
    return asked;
  }
}

export function iso(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** The body as an object; fails for any other. */
export function objectOf({ text, headers }: Answer): Row {
  assert.match(headers.get('content-type') ?? 'no content type', /^application\/json\b/);
  const value: unknown = JSON.parse(text);
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), 'the body is no object');
  return value as Row;
}

/** The records of a 200 in the provider's envelope. */
export function rowsOf(answer: Answer): readonly Row[] {
  assert.equal(answer.status, 200, `${answer.path} was answered with ${answer.status}: ${answer.text.slice(0, 200)}`);
  const { data } = objectOf(answer);
  assert.ok(Array.isArray(data), 'there is no list "data"');
  return data as readonly Row[];
}

/** The same where there are any: of no records nothing can be told. */
export function someRowsOf(answer: Answer): readonly Row[] {
  const rows = rowsOf(answer);
  if (rows.length === 0) throw new NotChecked('there are no hours in this range; say another by --start');
  return rows;
}

/** A clause that has compared nothing does not hold: it was not checked. */
export function requireSome(compared: number, what: string): void {
  if (compared === 0) throw new NotChecked(`no record of this range has ${what}`);
}

export function numberOf(row: Row, name: string): number | null {
  const value = row[name];
  assert.ok(value === null || typeof value === 'number', `${name} is ${typeof value}`);
  return value;
}
