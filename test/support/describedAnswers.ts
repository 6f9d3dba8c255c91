import assert from 'node:assert/strict';
import { openApiDocument } from '../../src/sandbox/openapi/document.ts';
import { documentedLimits } from '../../src/sandbox/keys/scopes.ts';
import { OpenApiAnswers, type Answered } from './openApiAnswers.ts';

const described = new OpenApiAnswers(openApiDocument('http://127.0.0.1', documentedLimits, 60_000));

/** Holds an answer of the sandbox against its OpenAPI document, with or without faults. */
export function assertDescribed(answered: Answered): void {
  assert.deepEqual(described.faults(answered), []);
}

/** Fetches, and holds the answer against the sandbox's OpenAPI document. */
export async function fetchDescribed(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname: path } = new URL(url);
  const { status, headers } = response;
  assertDescribed({ method: init.method ?? 'GET', path, status, headers, body: await response.clone().text() });
  return response;
}
