import * as v from 'valibot';
import type { Analysis } from '../../shared/analysis.ts';
import { eventBands, mostRampHours } from '../../shared/eventSearch.ts';
import { binSizes, cycles } from '../../shared/resampling.ts';
import { scoredBy } from '../../shared/scorecard.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { derivedSchema } from '../savedQueries/records/storedItem.ts';

const columnName = v.pipe(v.string(), v.maxLength(tableLimits.nameLength));
const finite = v.pipe(v.number(), v.finite());

const eventRule = v.variant('kind', [
  v.strictObject({ kind: v.literal('peak') }),
  v.strictObject({ kind: v.picklist(['over', 'under']), value: finite }),
  v.strictObject({
    kind: v.literal('ramp'),
    value: finite,
    hours: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostRampHours)),
  }),
  v.strictObject({ kind: v.literal('band'), band: v.picklist(eventBands) }),
]);

/** The form of an analysis, each of its parts bounded. */
export const analysisForm = v.strictObject({
  derive: v.exactOptional(derivedSchema),
  where: v.exactOptional(v.record(columnName, v.pipe(v.string(), v.maxLength(10_000)))),
  resample: v.exactOptional(v.picklist([...binSizes, ...cycles])),
  find: v.exactOptional(v.strictObject({ rule: eventRule, column: columnName })),
  score: v.exactOptional(v.strictObject({ actual: columnName, forecast: columnName, by: v.picklist(scoredBy) })),
  missing: v.exactOptional(v.literal(true)),
  within: v.exactOptional(v.strictObject({ start: finite, end: finite })),
  sort: v.exactOptional(
    v.pipe(v.array(v.strictObject({ column: columnName, descending: v.boolean() })), v.maxLength(tableLimits.columns)),
  ),
  columns: v.exactOptional(v.pipe(v.array(columnName), v.maxLength(tableLimits.columns))),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** An analysis from outside. */
export const analysisSchema: v.GenericSchema<unknown, Analysis> = v.pipe(
  analysisForm,
  v.check(
    ({ resample, find, score }) => [resample, find, score].filter(one => one !== undefined).length <= 1,
    "Use one of 'resample', 'find' and 'score'.",
  ),
);
