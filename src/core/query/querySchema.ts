import * as v from 'valibot';

/** The stored form of a query. */
export const querySchema = v.object({
  dataset: v.string(),
  range: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
  timeZone: v.string(),
});
