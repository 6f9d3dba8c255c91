import { listNumberFields, sandboxStressFields, systemStateFields, type FieldCatalogue } from '../../shared/fields.ts';
import { endpoints, type SandboxRoute } from '../server/endpoints.ts';
import { stressNote } from '../data/gridHour.ts';

/** A JSON Schema (2020-12) or another object of the document. */
export type Json = Readonly<Record<string, unknown>>;

const instant = { type: 'string', format: 'date-time', description: 'UTC, as YYYY-MM-DDThh:mm:ssZ' };
const text = { type: 'string' };

function createStrictObject(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Creates the schema of a record of an hour or a day, with the meaning and unit of each field. */
function createRecordSchema(ts: string, fields: FieldCatalogue, rows: 'hours' | 'days'): Json {
  const readings = listNumberFields(fields, rows).map(name => {
    const { meaning, unit } = fields.get(name) ?? {};
    const description = [meaning, unit?.text && `in ${unit.text}`].filter(Boolean).join(', ');
    return [name, { type: ['number', 'null'], ...(description && { description }) }] as const;
  });
  return createStrictObject({ ts: { ...instant, description: ts }, ...Object.fromEntries(readings) });
}

const componentPrefix = 'components.';
const componentFields = [...sandboxStressFields].filter(([name]) => name.startsWith(componentPrefix));
const shareSchema = (description: string | undefined) => ({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description,
});

function createEnvelopeSchema({ dataset, intervals }: SandboxRoute, extraMeta: Json, records: Json): Json {
  const meta = {
    dataset: { const: dataset },
    interval: { enum: intervals },
    start: instant,
    end: instant,
    timezone: { const: 'UTC' },
    schema_version: { const: '1.0' },
    derived: { type: 'boolean' },
    ...extraMeta,
    data_delay: { const: true, description: 'Only if upstream data is late' },
    last_available: { ...instant, description: 'The newest available hour; only if upstream data is late' },
    source: { enum: ['synthetic', 'replay'], description: 'The source of the hours; only in the sandbox' },
    available_from: { ...instant, description: 'The first available hour; only for replayed hours' },
    available_to: { ...instant, description: 'The end of the last available hour; only for replayed hours' },
    replayed_from: {
      ...text,
      description: 'The replayed files, and how their times are moved; only in the sandbox',
    },
    note: { ...text, description: 'Describes the source and how the stress index is computed; only in the sandbox' },
  };
  const optional = [
    'derivation_method',
    'data_delay',
    'last_available',
    'available_from',
    'available_to',
    'replayed_from',
  ];
  return createStrictObject({ meta: createStrictObject(meta, optional), data: { type: 'array', items: records } });
}

/** Returns the name of an endpoint's responses in the document. */
export function schemaName({ name }: SandboxRoute): string {
  return name.replaceAll(' ', '');
}

function createResponseSchema(endpoint: SandboxRoute): Json {
  const createSchema = { systemState: createSystemStateSchema, gridStress: createGridStressSchema }[endpoint.id];
  if (createSchema) return createSchema(endpoint);
  const rows = [
    createRecordSchema(hourStart, endpoint.fields, 'hours'),
    createRecordSchema(dayStart, endpoint.fields, 'days'),
  ];
  return createEnvelopeSchema(endpoint, {}, { anyOf: rows });
}

function createSystemStateSchema(endpoint: SandboxRoute): Json {
  const rows = { anyOf: [ref('schemas', 'SystemStateHour'), ref('schemas', 'SystemStateDay')] };
  return createEnvelopeSchema(endpoint, { derivation_method: { const: 'aggregation_from_1h' } }, rows);
}

function createGridStressSchema(endpoint: SandboxRoute): Json {
  const extraMeta = { feature: text, version: text, derivation_method: { const: 'computed_from_grid.system_state' } };
  return createEnvelopeSchema(endpoint, extraMeta, ref('schemas', 'GridStressRecord'));
}

const hourStart = 'Beginning of the hour, UTC';
const dayStart = 'Beginning of the UTC day';

/** The schemas of bodies by their name in the document. */
export const schemas: Json = {
  Detail: createStrictObject({ detail: { ...text, description: 'The error message' } }),
  CodedError: createStrictObject({
    error: { ...text, description: 'The error code' },
    detail: { ...text, description: 'The error message' },
  }),
  ...Object.fromEntries(endpoints.map(endpoint => [schemaName(endpoint), createResponseSchema(endpoint)])),
  SystemStateHour: createRecordSchema(hourStart, systemStateFields, 'hours'),
  SystemStateDay: createRecordSchema(dayStart, systemStateFields, 'days'),
  GridStressRecord: createStrictObject(
    {
      ts: { ...instant, description: hourStart },
      value: shareSchema(`${sandboxStressFields.get('value')?.meaning}. ${stressNote}`),
      version: text,
      components: createStrictObject(
        Object.fromEntries(
          componentFields.map(([name, { meaning }]) => [name.slice(componentPrefix.length), shareSchema(meaning)]),
        ),
      ),
    },
    ['components'],
  ),
  View: createStrictObject({ name: text, description: text, renders: { type: 'array', items: text } }),
  Health: createStrictObject(
    {
      status: { const: 'ok' },
      notices: { type: 'array', items: text, description: 'Notices about replayed hours, a sentence each' },
    },
    ['notices'],
  ),
};

/** Creates a reference to a component of the document. */
export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
