import * as v from 'valibot';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { findZone } from '../time/zone.ts';

/** Returns the name of an encoding in the Encoding Standard; undefined if TextDecoder does not know the label. */
export function standardEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The highest line number that can be chosen. */
export const maxImportLine = 10_000;

const line = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxImportLine));
/** Validates options from outside. */
export const importOptionsSchema: v.GenericSchema<ImportOptions> = v.object({
  timeZone: v.optional(
    v.pipe(
      v.string(),
      v.check(name => findZone(name) !== undefined),
    ),
  ),
  hour: v.optional(v.picklist(['beginning', 'end'])),
  dateOrder: v.optional(v.picklist(['day first', 'month first'])),
  separator: v.optional(v.pipe(v.string(), v.length(1))),
  decimal: v.optional(v.picklist(['point', 'comma'])),
  encoding: v.optional(
    v.pipe(
      v.string(),
      v.check(label => standardEncoding(label) !== undefined),
    ),
  ),
  headingLine: v.optional(line),
  firstLine: v.optional(v.pipe(line, v.minValue(1))),
  sheet: v.optional(v.pipe(v.string(), v.maxLength(100))),
});
