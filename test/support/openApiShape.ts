// A JSON Schema of OpenAPI 3.1.0 (spec.openapis.org) for the parts that the sandbox's document uses. It is stricter than the
// specification: objects may have only the properties listed here, so that misspellings are found.

const text = { type: 'string', minLength: 1 };
const createMapSchema = (values: object) => ({ type: 'object', additionalProperties: values });
const objectWith = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const definition = (name: string) => ({ $ref: `#/$defs/${name}` });
const orReference = (name: string) => ({
  if: { type: 'object', required: ['$ref'] },
  then: objectWith({ $ref: { type: 'string', pattern: '^#/components/[a-zA-Z]+/[a-zA-Z0-9._-]+$' } }, ['$ref']),
  else: definition(name),
});

export const openApiShape = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...objectWith(
    {
      openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
      info: objectWith({ title: text, version: text, description: text }, ['title', 'version']),
      servers: { type: 'array', minItems: 1, items: objectWith({ url: { type: 'string', format: 'uri' } }, ['url']) },
      security: definition('security'),
      tags: { type: 'array', items: objectWith({ name: text, description: text }, ['name']) },
      paths: { type: 'object', patternProperties: { '^/': definition('pathItem') }, additionalProperties: false },
      components: objectWith({
        securitySchemes: createMapSchema(definition('apiKey')),
        parameters: createMapSchema(definition('parameter')),
        headers: createMapSchema(definition('header')),
        responses: createMapSchema(definition('response')),
        schemas: createMapSchema(definition('schema')),
      }),
    },
    ['openapi', 'info', 'paths'],
  ),
  $defs: {
    security: { type: 'array', items: createMapSchema({ type: 'array', items: text }) },
    apiKey: objectWith(
      { type: { const: 'apiKey' }, in: { enum: ['query', 'header', 'cookie'] }, name: text, description: text },
      ['type', 'in', 'name'],
    ),
    schema: { type: ['object', 'boolean'] },
    parameter: objectWith(
      {
        name: text,
        in: { enum: ['query', 'header', 'path'] },
        required: { type: 'boolean' },
        description: text,
        schema: definition('schema'),
      },
      ['name', 'in', 'schema'],
    ),
    header: objectWith({ description: text, required: { type: 'boolean' }, schema: definition('schema') }, ['schema']),
    media: objectWith({
      schema: definition('schema'),
      examples: createMapSchema(objectWith({ value: true }, ['value'])),
    }),
    response: objectWith(
      {
        description: text,
        headers: createMapSchema(orReference('header')),
        content: createMapSchema(definition('media')),
      },
      ['description'],
    ),
    operation: objectWith(
      {
        operationId: text,
        summary: text,
        description: text,
        tags: { type: 'array', items: text },
        parameters: { type: 'array', items: orReference('parameter') },
        security: definition('security'),
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
      ...objectWith({
        get: definition('operation'),
        head: definition('operation'),
        options: definition('operation'),
      }),
      patternProperties: { '^x-': true },
    },
  },
};
