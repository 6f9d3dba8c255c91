import * as v from 'valibot';
import { maxFilterLength, maxJoinSources, maxPeriods, type Analysis } from '../../shared/analysis.ts';
import { importOptionsSchema } from '../dataFile/importOptionsSchema.ts';
import { derivedLimits } from '../../shared/derivedColumns.ts';
import { maxRampHours, unusualBins } from '../../shared/eventSearch.ts';
import { binSizes, cycles, resampledFigureSets } from '../../shared/resampling.ts';
import { scoreGroupings } from '../../shared/scorecard.ts';
import { summaryFigures } from '../../shared/summaryFigures.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

const columnName = v.pipe(v.string(), v.maxLength(tableLimits.nameLength));
const finite = v.pipe(v.number(), v.finite());

const eventRule = v.variant('kind', [
  v.strictObject({ kind: v.literal('peak') }),
  v.strictObject({
    kind: v.literal('condition'),
    condition: v.pipe(v.string(), v.nonEmpty(), v.maxLength(derivedLimits.formula)),
  }),
  v.strictObject({
    kind: v.literal('ramp'),
    value: finite,
    hours: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxRampHours)),
  }),
  v.strictObject({ kind: v.literal('unusual'), by: v.picklist(unusualBins) }),
]);

/** Schema of the period that a query is compared with. */
export const comparedPeriodSchema = v.variant('kind', [
  v.strictObject({
    kind: v.picklist(['previousPeriod', 'lastYear']),
    align: v.picklist(['position', 'hourOfWeek']),
    count: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(maxPeriods))),
  }),
  v.strictObject({ kind: v.literal('range'), range: v.pipe(v.string(), v.maxLength(1_000)) }),
]);

const derivedColumns = v.pipe(
  v.array(
    v.object({
      name: v.pipe(v.string(), v.maxLength(derivedLimits.name)),
      formula: v.pipe(v.string(), v.maxLength(derivedLimits.formula)),
      source: v.exactOptional(v.pipe(v.string(), v.maxLength(derivedLimits.source))),
    }),
  ),
  v.maxLength(derivedLimits.columns),
);

/** Whether all percent signs of a URI begin a valid sequence. */
function isEncoded(uri: string): boolean {
  try {
    return decodeURIComponent(uri) !== '';
  } catch {
    return false;
  }
}

const shortText = v.pipe(v.string(), v.maxLength(1_000));
/** A path that stays in the workspace folder, or the URI of a local file. On Windows, reading from a host would send it the user's password hash. */
const joinedPath = v.pipe(
  shortText,
  v.regex(/^(?!.*%(?:2[fF]|5[cC]))(?:file:\/\/\/(?!\/)|(?![\w.+-]+:|\/|(?:.*\/)?\.\.(?:\/|$)))[^\\\n\r\u2028\u2029]+$/),
  v.check(path => !path.startsWith('file:') || isEncoded(path)),
);

/** Schema of the sources whose columns are joined to the rows. */
export const joinSchema = v.pipe(
  v.array(
    v.variant('kind', [
      v.strictObject({
        kind: v.literal('file'),
        path: joinedPath,
        sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
        options: v.exactOptional(importOptionsSchema),
      }),
      v.strictObject({
        kind: v.literal('query'),
        name: shortText,
        dataset: shortText,
        interval: shortText,
        params: v.pipe(v.record(shortText, shortText), v.maxEntries(100)),
        connection: v.exactOptional(shortText),
        derive: v.exactOptional(derivedColumns),
      }),
      v.strictObject({ kind: v.literal('installedCapacity') }),
    ]),
  ),
  v.maxLength(maxJoinSources),
);

/** Schema of an analysis, with bounds for each part. */
export const analysisObjectSchema = v.strictObject({
  derive: v.exactOptional(derivedColumns),
  where: v.exactOptional(
    v.pipe(v.record(columnName, v.pipe(v.string(), v.maxLength(maxFilterLength))), v.maxEntries(tableLimits.columns)),
  ),
  compare: v.exactOptional(comparedPeriodSchema),
  resample: v.exactOptional(v.picklist([...binSizes, ...cycles])),
  figures: v.exactOptional(v.picklist(resampledFigureSets)),
  find: v.exactOptional(v.strictObject({ rule: eventRule, column: columnName })),
  score: v.exactOptional(v.strictObject({ actual: columnName, forecast: columnName, by: v.picklist(scoreGroupings) })),
  missing: v.exactOptional(v.literal(true)),
  within: v.exactOptional(v.strictObject({ start: finite, end: finite })),
  summarize: v.exactOptional(v.pipe(v.array(v.picklist(summaryFigures)), v.maxLength(summaryFigures.length))),
  sort: v.exactOptional(
    v.pipe(v.array(v.strictObject({ column: columnName, descending: v.boolean() })), v.maxLength(tableLimits.columns)),
  ),
  columns: v.exactOptional(v.pipe(v.array(columnName), v.maxLength(tableLimits.columns))),
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

/** Schema of an analysis that a panel can show. Window, columns and limit are left to the panel's chart, table and scrollbar. */
export const panelAnalysisObjectSchema = v.strictObject({
  ...v.omit(analysisObjectSchema, ['within', 'columns', 'limit']).entries,
  join: v.exactOptional(joinSchema),
});

const hasOneReplacement = ({ resample, find, score, summarize }: Analysis): boolean =>
  [resample ?? summarize, find, score].filter(stage => stage !== undefined).length <= 1;
const multipleReplacementsMessage = "Use one of 'find', 'score', and 'resample' with 'summarize'.";

/** Validates an analysis from outside. */
export const analysisSchema: v.GenericSchema<unknown, Analysis> = v.pipe(
  analysisObjectSchema,
  v.check(analysis => hasOneReplacement(analysis), multipleReplacementsMessage),
);

/** Validates an analysis that a panel can show. */
export const panelAnalysisSchema: v.GenericSchema<unknown, Analysis> = v.pipe(
  panelAnalysisObjectSchema,
  v.check(analysis => hasOneReplacement(analysis), multipleReplacementsMessage),
);

/** Parses a value from outside as an analysis that a panel can show; undefined if it is invalid. */
export function parsePanelAnalysis(value: unknown): Analysis | undefined {
  const parsed = v.safeParse(panelAnalysisSchema, value);
  return parsed.success ? parsed.output : undefined;
}
