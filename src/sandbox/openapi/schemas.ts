import { sandboxStressFields, systemStateFields, type KnownField } from '../../shared/fields.ts';
import { endpoints } from '../server/endpoints.ts';
import { stressNote } from '../data/stress.ts';

/** A JSON Schema (2020-12) or another object of the document. */
export type Json = Readonly<Record<string, unknown>>;

const instant = { type: 'string', format: 'date-time', description: 'UTC, as YYYY-MM-DDThh:mm:ssZ' };
const text = { type: 'string' };

function strict(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A field with the meaning and unit that the catalogue knows. */
function reading(name: string): Json {
  const { meaning, unit } = systemStateFields.get(name) ?? {};
  const description = [meaning, unit && `in ${unit.text}`].filter(Boolean).join(', ');
  return { type: ['number', 'null'], ...(description && { description }) };
}

function record(ts: string, names: readonly string[]): Json {
  return strict({
    ts: { ...instant, description: ts },
    ...Object.fromEntries(names.map(name => [name, reading(name)])),
  });
}

const readingsWithout = (interval: KnownField['only']): string[] =>
  [...systemStateFields].flatMap(([name, { unit, only }]) => (unit && only !== interval ? [name] : []));
const componentStart = 'components.';
const componentFields = [...sandboxStressFields].filter(([name]) => name.startsWith(componentStart));
const unitInterval = (description: string | undefined) => ({
  type: ['number', 'null'],
  ...{ minimum: 0, maximum: 1 },
  description,
});

function envelope(dataset: string, intervals: readonly string[], more: Json, records: Json): Json {
  const meta = {
    dataset: { const: dataset },
    interval: { enum: intervals },
    start: instant,
    end: instant,
    timezone: { const: 'UTC' },
    schema_version: { const: '1.0' },
    derived: { type: 'boolean' },
    ...more,
    data_delay: { const: true, description: 'Only where upstream data is late' },
    last_available: { ...instant, description: 'The newest hour there is, only where upstream data is late' },
    source: { enum: ['synthetic', 'replay'], description: 'Of the sandbox: where its hours come from' },
    note: { ...text, description: 'Of the sandbox: the same in a sentence, and how the stress index is made' },
  };
  const optional = ['derivation_method', 'data_delay', 'last_available'];
  return strict({ meta: strict(meta, optional), data: { type: 'array', items: records } });
}

const [systemState, gridStress] = endpoints;

/** The bodies by the names under which the document refers to them. */
export const schemas: Json = {
  Detail: strict({ detail: { ...text, description: 'What is wrong, for a person' } }),
  CodedError: strict({
    error: { ...text, description: 'A code for programs' },
    detail: { ...text, description: 'What is wrong, for a person' },
  }),
  SystemStateHour: record('Beginning of the hour, UTC', readingsWithout('days')),
  SystemStateDay: record('Beginning of the UTC day', readingsWithout('hours')),
  SystemState: envelope(
    systemState.dataset,
    systemState.intervals,
    { derivation_method: { const: 'aggregation_from_1h' } },
    { anyOf: [ref('schemas', 'SystemStateHour'), ref('schemas', 'SystemStateDay')] },
  ),
  GridStressRecord: strict(
    {
      ts: { ...instant, description: 'Beginning of the hour, UTC' },
      value: unitInterval(`${sandboxStressFields.get('value')?.meaning}. ${stressNote}`),
      version: text,
      components: strict(
        Object.fromEntries(
          componentFields.map(([name, { meaning }]) => [name.slice(componentStart.length), unitInterval(meaning)]),
        ),
      ),
    },
    ['components'],
  ),
  GridStress: envelope(
    gridStress.dataset,
    gridStress.intervals,
    { feature: text, version: text, derivation_method: { const: 'computed_from_grid.system_state' } },
    ref('schemas', 'GridStressRecord'),
  ),
  View: strict({ name: text, description: text, renders: { type: 'array', items: text } }),
  Health: strict(
    {
      status: { const: 'ok' },
      notices: { type: 'array', items: text, description: 'What is to be known of replayed hours, a sentence each' },
    },
    ['notices'],
  ),
};

/** A reference into the document's components. */
export function ref(kind: 'schemas' | 'responses' | 'headers', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}
