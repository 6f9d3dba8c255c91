import { createQueriesSchema } from './queriesSchema.ts';
import { getMessage, type Texts } from './translations.ts';

/** The properties of a JSON schema whose texts the editor displays. */
const displayedProperties: ReadonlySet<string> = new Set(['title', 'description', 'enumDescriptions', 'label']);

/** Returns all texts of the schema that the editor displays. */
export function listSchemaTexts(): string[] {
  const texts: string[] = [];
  translateSchema(createQueriesSchema(), text => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Serializes the schema with translated texts. Writes one line, since indentation would be a sixth of its size in the package. */
export function serializeSchema(texts: Texts): string {
  const schema = translateSchema(createQueriesSchema(), text => getMessage(texts[text] ?? text));
  return `${JSON.stringify(schema)}\n`;
}

function translateSchema(value: unknown, translate: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return displayedProperties.has(name) ? translate(value) : value;
  if (Array.isArray(value)) return value.map(item => translateSchema(item, translate, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translateSchema(inner, translate, key)]));
}
