import { format } from 'prettier';
import { queriesSchema } from '../../src/core/savedQueries/file/queriesSchema.ts';
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

/** The schema in another language, as its file holds it. */
export async function schemaIn(texts: Texts): Promise<string> {
  const schema = translated(queriesSchema(), text => messageOf(texts[text] ?? text));
  return format(JSON.stringify(schema), { parser: 'json', printWidth: 120 });
}

function translated(value: unknown, say: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return shown.has(name) ? say(value) : value;
  if (Array.isArray(value)) return value.map(item => translated(item, say, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translated(inner, say, key)]));
}
