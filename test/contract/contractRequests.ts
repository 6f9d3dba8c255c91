import assert from 'node:assert/strict';
import { NotChecked } from './client.ts';
import type { ContractResponse, ContractClient } from './client.ts';

export type Row = Readonly<Record<string, unknown>>;

export const systemState = '/api/v1/grid/system-state';
export const gridStress = '/api/v1/features/grid-stress';
export const hourMs = 3_600_000;

/** Sends the requests that the clauses check. Each request is sent once, because several clauses check its response. */
export class ContractRequests {
  readonly client: ContractClient;
  /** The start and the end, in UTC milliseconds, of a range of two UTC days for which the service has data. */
  readonly start: number;
  readonly end: number;
  readonly #responses = new Map<string, Promise<ContractResponse>>();

  constructor(client: ContractClient, start: number) {
    this.client = client;
    this.start = start;
    this.end = start + 48 * hourMs;
  }

  get range(): string {
    return `start=${formatIso(this.start)}&end=${formatIso(this.end)}`;
  }

  async state(query = this.range): Promise<ContractResponse> {
    return this.#requestOnce('normalized_data', `${systemState}?${query}`);
  }

  async stress(query = this.range): Promise<ContractResponse> {
    return this.#requestOnce('features', `${gridStress}?${query}`);
  }

  async #requestOnce(scope: string, path: string): Promise<ContractResponse> {
    const previous = this.#responses.get(path);
    if (previous) return previous;
    const response = this.client.request(scope, path);
    this.#responses.set(path, response);
    return response;
  }
}

export function formatIso(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** Parses the body, which must be an object. */
export function parseObject({ text, headers }: ContractResponse): Row {
  assert.match(headers.get('content-type') ?? 'no content type', /^application\/json\b/);
  const value: unknown = JSON.parse(text);
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), 'the body is not an object');
  return value as Row;
}

/** Parses the records of a response, which must have status 200 and a list `data`. */
export function parseRows(response: ContractResponse): readonly Row[] {
  assert.equal(response.status, 200, `${response.path} returned ${response.status}: ${response.text.slice(0, 200)}`);
  const { data } = parseObject(response);
  assert.ok(Array.isArray(data), 'there is no list "data"');
  return data as readonly Row[];
}

/** Parses the records of a response. Throws NotChecked if there are none, because nothing can be checked then. */
export function parseSomeRows(response: ContractResponse): readonly Row[] {
  const rows = parseRows(response);
  if (rows.length === 0) throw new NotChecked('there are no hours in this range; choose another with --start');
  return rows;
}

/** Throws NotChecked if a clause found no record to check. */
export function requireSome(compared: number, description: string): void {
  if (compared === 0) throw new NotChecked(`no record of this range has ${description}`);
}

export function getNumber(row: Row, name: string): number | null {
  const value = row[name];
  assert.ok(value === null || typeof value === 'number', `${name} is ${typeof value}`);
  return value;
}
