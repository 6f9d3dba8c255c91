import assert from 'node:assert/strict';
import { createOpenApiDocument } from '../../src/sandbox/openapi/document.ts';
import { documentedLimits } from '../../src/sandbox/keys/scopes.ts';
import { OpenApiValidator, type ReceivedResponse } from './openApiValidator.ts';

const responseValidator = new OpenApiValidator(createOpenApiDocument('http://127.0.0.1', documentedLimits, 60_000));

/** Asserts that a response of the sandbox matches its OpenAPI document. */
export function assertDocumented(received: ReceivedResponse): void {
  assert.deepEqual(responseValidator.findViolations(received), []);
}

/** Fetches a response, and asserts that it matches the sandbox's OpenAPI document. */
export async function fetchDocumented(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { pathname: path } = new URL(url);
  const { status, headers } = response;
  assertDocumented({ method: init.method ?? 'GET', path, status, headers, body: await response.clone().text() });
  return response;
}
