import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createOpenApiDocument } from '../../../../src/sandbox/openapi/document.ts';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { documentedLimits } from '../../../../src/sandbox/keys/scopes.ts';
import { OpenApiValidator } from '../../../support/openApiValidator.ts';
import { openApiShape } from '../../../support/openApiShape.ts';
import { fakeService, gridStress, noon, port, range, systemState } from '../fakes.ts';

type Json = Readonly<Record<string, unknown>>;

const document = createOpenApiDocument(`http://127.0.0.1:${port}`, documentedLimits, 60_000);
const resolvePointer = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part.replaceAll('~1', '/')], document);

/** Generates every object of the document with its JSON pointer. */
function* listObjects(value: unknown, pointer = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Json];
  for (const [name, inner] of Object.entries(value))
    yield* listObjects(inner, `${pointer}/${name.replaceAll('/', '~1')}`);
}

describe('openApiDocument', () => {
  it('generates a valid OpenAPI 3.1 document', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(openApiShape);
    assert.equal(validate(document), true, JSON.stringify(validate.errors?.slice(0, 3)));
    // The schema does detect an error.
    const misspelled = { ...document, paths: { '/x': { get: { response: {} } } } };
    assert.equal(validate(misspelled), false);
  });

  it('resolves every reference, and names each operation once', () => {
    const objects = [...listObjects(document)];
    const references = objects.flatMap(([, { $ref: reference }]) => (typeof reference === 'string' ? [reference] : []));
    assert.ok(references.length > 40);
    assert.deepEqual(
      references.filter(reference => resolvePointer(reference.slice(1)) === undefined),
      [],
    );
    const ids = objects.flatMap(([, { operationId }]) => (typeof operationId === 'string' ? [operationId] : []));
    assert.equal(new Set(ids).size, ids.length);
    const used = new Set(references);
    for (const [kind, parts] of Object.entries(document['components'] as Record<string, Json>))
      for (const name of Object.keys(parts))
        assert.ok(
          kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`),
          `${kind} ${name} is not used`,
        );
  });

  it('contains schemas that are strictly valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, validateFormats: false });
    const inner = (schema: unknown) =>
      JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as Json;
    const $defs = inner((document['components'] as Json)['schemas']);
    for (const name of Object.keys($defs)) ajv.compile({ $defs, $ref: `#/$defs/${name}` });
    for (const [pointer, { schema }] of listObjects(document))
      if (schema !== undefined) assert.ok(ajv.compile({ $defs, ...inner(schema) }), pointer);
  });

  it('contains examples of failures that match the schema', () => {
    const { responses } = document['components'] as { responses: Record<string, Json> };
    const ajv = new Ajv2020({ strict: false }).addSchema(document, 'document');
    let count = 0;
    for (const [name, { content }] of Object.entries(responses) as [string, { content: Record<string, Json> }][])
      for (const { value } of Object.values(
        (content['application/json']?.['examples'] ?? {}) as Record<string, Json>,
      ).map(example => example as { value: unknown })) {
        const validate = ajv.getSchema(`document#/components/responses/${name}/content/application~1json/schema`);
        assert.equal(validate?.(value), true, name);
        count++;
      }
    assert.ok(count >= 9);
  });

  it('requires the key header only for data, and documents the limits', () => {
    assert.deepEqual(document['security'], [{ apiKey: [] }]);
    assert.deepEqual(resolvePointer('/components/securitySchemes/apiKey/name'), 'X-API-KEY');
    for (const path of ['/healthz', '/openapi.json'])
      assert.deepEqual(resolvePointer(`/paths/${path.replaceAll('/', '~1')}/get/security`), []);
    assert.match(
      JSON.stringify(resolvePointer(`/paths/${systemState.replaceAll('/', '~1')}`)),
      /10 requests in any 60 s/,
    );
    assert.match(
      JSON.stringify(resolvePointer(`/paths/${gridStress.replaceAll('/', '~1')}`)),
      /3 requests in any 60 s/,
    );
  });

  it('documents the configured window', async () => {
    const { request } = fakeService({ windowMs: 2_500 });
    const text = await (await request('/openapi.json')).text();
    assert.match(text, /rolling window of 2\.5 s/);
    assert.match(text, /10 requests in any 2\.5 s/);
    assert.doesNotMatch(text, /60 s/);
  });

  it('documents injected faults: an error of any status, and a page', async () => {
    for (const [kind, amount] of [
      ['error', 507],
      ['html', 502],
      ['html', 200],
      ['html', 401],
    ] as const) {
      const faults = new FaultInjector(1, [{ kind, amount, rate: 1, scope: undefined }]);
      // The helper checks the response against the document.
      assert.equal((await fakeService({ faults }).request(systemState)).status, amount);
    }
  });

  it('serves the document and health without a key', async () => {
    const { request } = fakeService();
    const served = await request('/openapi.json', { key: undefined });
    assert.deepEqual(await served.json(), JSON.parse(JSON.stringify(document)));
    assert.equal((await request('/healthz', { key: undefined, method: 'POST' })).status, 405);
    const health = await request('/healthz', { key: undefined });
    assert.deepEqual([health.status, await health.json()], [200, { status: 'ok' }]);
  });
});

describe('OpenApiAnswers', () => {
  it('detects an undocumented field, header, status or body', async () => {
    const validator = new OpenApiValidator(document);
    const path = systemState + range(noon - 7_200_000, noon);
    const response = await fakeService().request(path);
    const body = await response.text();
    const response200 = { method: 'GET', path, status: 200, headers: response.headers, body };
    assert.deepEqual(validator.findViolations(response200), []);
    const headersWithoutAllow = new Headers(response.headers);
    headersWithoutAllow.delete('allow');
    // A page, or an error of another status, is undocumented without the header of a fault.
    const page = new Headers({ ...Object.fromEntries(response.headers), 'content-type': 'text/html' });
    for (const wrong of [
      { ...response200, body: body.replace('"ts"', '"time"') },
      { ...response200, body: body.replace('"timezone":"UTC"', '"timezone":"SAST"') },
      { ...response200, body: '<html>' },
      { ...response200, headers: headersWithoutAllow },
      { ...response200, status: 418 },
      { ...response200, status: 503, body: '{"error":"server_error","detail":""}' },
      { ...response200, headers: page },
      { ...response200, path: gridStress },
    ])
      assert.notDeepEqual(validator.findViolations(wrong), [], JSON.stringify(wrong.status));
  });
});
