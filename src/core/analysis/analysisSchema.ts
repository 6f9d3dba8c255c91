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
  v.object({ kind: v.literal('peak') }),
  v.object({ kind: v.picklist(['over', 'under']), value: finite }),
  v.object({
    kind: v.literal('ramp'),
    value: finite,
    hours: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostRampHours)),
  }),
  v.object({ kind: v.literal('band'), band: v.picklist(eventBands) }),
]);

/** An analysis from outside: of bounded length, with all its parts of the form that they have here. */
export const analysisSchema: v.GenericSchema<unknown, Analysis> = v.object({
  derive: v.exactOptional(derivedSchema),
  where: v.exactOptional(v.record(columnName, v.pipe(v.string(), v.maxLength(10_000)))),
  resample: v.exactOptional(v.picklist([...binSizes, ...cycles])),
  find: v.exactOptional(v.object({ rule: eventRule, column: columnName })),
  score: v.exactOptional(v.object({ actual: columnName, forecast: columnName, by: v.picklist(scoredBy) })),
  missing: v.exactOptional(v.literal(true)),
  within: v.exactOptional(v.object({ start: finite, end: finite })),
  sort: v.exactOptional(
    v.pipe(v.array(v.object({ column: columnName, descending: v.boolean() })), v.maxLength(tableLimits.columns)),
  ),
});
