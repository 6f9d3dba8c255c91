import assert from 'node:assert/strict';
import { createOpenApiDocument } from '../../src/sandbox/openapi/document.ts';
import { documentedLimits } from '../../src/sandbox/keys/scopes.ts';
import { OpenApiAnswers, type Answered } from './openApiAnswers.ts';

const responseValidator = new OpenApiAnswers(createOpenApiDocument('http://127.0.0.1', documentedLimits, 60_000));

/** Asserts that a response of the sandbox matches its OpenAPI document. */
export function assertDescribed(answered: Answered): void {
  assert.deepEqual(responseValidator.findViolations(answered), []);
}

/** Fetches a response, and asserts that it matches the sandbox's OpenAPI document. */
export async function fetchDescribed(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname: path } = new URL(url);
  const { status, headers } = response;
  assertDescribed({ method: init.method ?? 'GET', path, status, headers, body: await response.clone().text() });
  return response;
}
