// A JSON Schema of OpenAPI 3.1.0 (spec.openapis.org) for the parts that the sandbox's document uses. It is stricter than the
// specification: objects may have only the properties listed here, so that misspellings are found.

const text = { type: 'string', minLength: 1 };
const map = (of: object) => ({ type: 'object', additionalProperties: of });
const only = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const part = (name: string) => ({ $ref: `#/$defs/${name}` });
const orReference = (name: string) => ({
  if: { type: 'object', required: ['$ref'] },
  then: only({ $ref: { type: 'string', pattern: '^#/components/[a-zA-Z]+/[a-zA-Z0-9._-]+$' } }, ['$ref']),
  else: part(name),
});

export const openApiShape = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...only(
    {
      openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
      info: only({ title: text, version: text, description: text }, ['title', 'version']),
      servers: { type: 'array', minItems: 1, items: only({ url: { type: 'string', format: 'uri' } }, ['url']) },
      security: part('security'),
      tags: { type: 'array', items: only({ name: text, description: text }, ['name']) },
      paths: { type: 'object', patternProperties: { '^/': part('pathItem') }, additionalProperties: false },
      components: only({
        securitySchemes: map(part('apiKey')),
        parameters: map(part('parameter')),
        headers: map(part('header')),
        responses: map(part('response')),
        schemas: map(part('schema')),
      }),
    },
    ['openapi', 'info', 'paths'],
  ),
  $defs: {
    security: { type: 'array', items: map({ type: 'array', items: text }) },
    apiKey: only(
      { type: { const: 'apiKey' }, in: { enum: ['query', 'header', 'cookie'] }, name: text, description: text },
      [...['type', 'in', 'name']],
    ),
    schema: { type: ['object', 'boolean'] },
    parameter: only(
      {
        name: text,
        in: { enum: ['query', 'header', 'path'] },
        required: { type: 'boolean' },
        description: text,
        schema: part('schema'),
      },
      ['name', 'in', 'schema'],
    ),
    header: only({ description: text, required: { type: 'boolean' }, schema: part('schema') }, ['schema']),
    media: only({ schema: part('schema'), examples: map(only({ value: true }, ['value'])) }),
    response: only({ description: text, headers: map(orReference('header')), content: map(part('media')) }, [
      'description',
    ]),
    operation: only(
      {
        operationId: text,
        summary: text,
        description: text,
        tags: { type: 'array', items: text },
        parameters: { type: 'array', items: orReference('parameter') },
        security: part('security'),
        responses: {
          type: 'object',
          minProperties: 1,
          patternProperties: { '^([1-5]\\d\\d|[1-5]XX|default)$': orReference('response') },
          additionalProperties: false,
        },
      },
      ['responses'],
    ),
    pathItem: {
      ...only({
        get: part('operation'),
        head: part('operation'),
        options: part('operation'),
      }),
      patternProperties: { '^x-': true },
    },
  },
};
