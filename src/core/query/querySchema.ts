import * as v from 'valibot';

/** A query as it is stored. */
export const querySchema = v.object({
  dataset: v.string(),
  range: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
  timeZone: v.string(),
});
