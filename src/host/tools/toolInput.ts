import * as v from 'valibot';
import { zoneOfDays } from '../../core/bins/dayEdges.ts';
import type { Dataset } from '../../core/query/catalogue.ts';
import { isKeyText } from '../../core/savedQueries/keyLike.ts';
import { rowChoices } from '../../core/summary/summarise.ts';
import { readQueryArgument } from '../query/queryArgument.ts';
import type { Query } from '../../core/query/query.ts';
import { InputError } from '../inputError.ts';
import { rangeForms } from '../../core/summary/modelText.ts';

const shortText = v.pipe(v.string(), v.maxLength(200));

const inputSchema = v.object({
  range: shortText,
  interval: v.optional(shortText),
  connection: v.optional(shortText),
  fields: v.optional(v.pipe(v.array(shortText), v.maxLength(200))),
  rows: v.optional(v.picklist(rowChoices), 'sample'),
});

export interface ToolQuery extends Pick<v.InferOutput<typeof inputSchema>, 'fields' | 'rows' | 'connection'> {
  readonly query: Query;
}

/** The input of a tool that queries a dataset. Throws InputError with what to change, for the model. */
export function readToolQuery(dataset: Dataset, input: unknown): ToolQuery {
  const { range, interval, connection, fields, rows } = parsed(inputSchema, input);
  const switches = v.object(Object.fromEntries(dataset.params.map(({ name }) => [name, v.optional(v.boolean())])));
  const isOn = parsed(switches, input);
  if ([range, interval ?? '', connection ?? ''].some(isKeyText))
    throw new InputError('An input looks like a key. Tools take no keys; the person enters them in VS Code.');
  // The service refuses an interval it does not know, at the price of a request.
  if (interval !== undefined && !dataset.intervals.includes(interval) && !zoneOfDays(interval))
    throw new InputError(
      `Unknown interval; ${dataset.id} has ${dataset.intervals.join(' and ')}, and days of a zone made from hours, such as 1d@SAST or 1d@Europe/Berlin. Nothing was sent.`,
    );
  const params = dataset.params.filter(({ name }) => isOn[name]).map(({ name, value }) => [name, value]);
  const { query } = readQueryArgument({
    dataset: dataset.id,
    range,
    ...(interval !== undefined && { interval }),
    ...(params.length > 0 && { params: Object.fromEntries(params) as Record<string, string> }),
  });
  if (!query) throw new InputError(`A query needs a range. ${rangeForms}`);
  return { query, connection, fields, rows };
}

function parsed<T extends v.GenericSchema>(schema: T, input: unknown): v.InferOutput<T> {
  const outcome = v.safeParse(schema, input ?? {});
  if (outcome.success) return outcome.output;
  const [issue] = outcome.issues;
  throw new InputError(`The input cannot be read (${v.getDotPath(issue) ?? 'input'}: ${issue.message}). ${rangeForms}`);
}
