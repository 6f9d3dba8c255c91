import { queriesSchema } from './queriesSchema.ts';
import { messageOf, type Texts } from './translations.ts';

/** The properties of a JSON schema that the editor shows. */
const shown: ReadonlySet<string> = new Set(['title', 'description', 'enumDescriptions', 'label']);

/** What the schema of a file of queries says to people. */
export function schemaTexts(): string[] {
  const texts: string[] = [];
  translated(queriesSchema(), text => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The schema in another language, as its file holds it: on one line, since blanks are a sixth of what it takes in the package. */
export function schemaIn(texts: Texts): string {
  const schema = translated(queriesSchema(), text => messageOf(texts[text] ?? text));
  return `${JSON.stringify(schema)}\n`;
}

function translated(value: unknown, say: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return shown.has(name) ? say(value) : value;
  if (Array.isArray(value)) return value.map(item => translated(item, say, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translated(inner, say, key)]));
}
