import type { Span } from '../../core/range/resolveRange.ts';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';
import { canJoin } from '../../shared/tableLimits.ts';
import type { Archived } from './archive.ts';
import { pausedSteps } from '../pausedSteps.ts';
import { joinSteps, MonthRows, placesWithin, timeColumnIn } from './joinMonths.ts';
import type { OpenedMonth } from './monthFile.ts';
import { fileUnitOf, unitsIn, type Month } from './months.ts';
import type { KnownSteps } from '../../core/bins/knownHours.ts';
import { bitAt, halvesOf, instantAt } from './joinColumns.ts';
import type { MonthSteps } from './monthNotes.ts';

/** When the units of a month were requested. */
interface RequestedMonth extends Pick<OpenedMonth, 'unitMs' | 'askedAt'> {
  readonly month: Month;
}

interface ArchivedMonth extends RequestedMonth, Pick<OpenedMonth, 'meta' | 'metaAskedAt'> {
  /** The time column of its rows; undefined where it has none. */
  readonly timeName: string | undefined;
}

/** Rows of neighbouring months with the same columns. */
interface Part {
  readonly timeName: string | undefined;
  readonly rows: MonthRows;
}

/** Joins what is archived of a range from its months, in their order. */
export class ArchivedMonths {
  readonly #stepMs: number;
  readonly #span: Span;
  readonly #months: ArchivedMonth[] = [];
  readonly #parts: Part[] = [];
  /** The columns of months that have no rows in the range. */
  readonly #empty: { readonly timeName: string | undefined; readonly frame: Frame }[] = [];

  /** The JSON paths of all columns so far. */
  readonly #paths = new Set<string>();
  #rowCount = 0;

  constructor(stepMs: number, span: Span) {
    this.#stepMs = stepMs;
    this.#span = span;
  }

  /** Copies the month's rows; at most `left` months follow. */
  add(month: Month, opened: OpenedMonth, left: number): void {
    const places = placesWithin(opened, this.#span);
    const rowCount = this.#rowCount + places.to - places.from;
    const paths = opened.columns.map(({ path }) => JSON.stringify(path)).filter(path => !this.#paths.has(path));
    // A service whose field names change each month may have too many together: the rest counts as not archived.
    if (!canJoin(this.#paths.size + paths.length, rowCount)) return;
    for (const path of paths) this.#paths.add(path);
    this.#rowCount = rowCount;
    const timeName = timeColumnIn(opened)?.name;
    const { unitMs, askedAt, meta, metaAskedAt } = opened;
    this.#months.push({ month, timeName, unitMs, askedAt, meta, metaAskedAt });
    if (places.to === places.from) {
      const rows = new MonthRows();
      rows.add(opened, places);
      this.#empty.push({ timeName, frame: rows.frame() });
      return;
    }
    let part = this.#parts.at(-1);
    if (!part?.rows.accepts(opened)) this.#parts.push((part = { timeName, rows: new MonthRows() }));
    part.rows.add(opened, places, left, Math.ceil((this.#span.end - this.#span.start) / this.#stepMs));
  }

  async all(): Promise<Archived> {
    const newest = this.#months.reduce<ArchivedMonth | undefined>((latest, month) => {
      return latest && latest.metaAskedAt > month.metaAskedAt ? latest : month;
    }, undefined);
    // Months with another time column than the newest cannot be joined with it: they count as not archived.
    const name = newest && (newest.timeName ?? this.#months.map(({ timeName }) => timeName).find(Boolean));
    const isUsed = ({ timeName }: { readonly timeName: string | undefined }): boolean => {
      return timeName === undefined || timeName === name;
    };
    const parts = this.#parts.filter(isUsed).map(({ rows }) => rows.frame());
    return {
      frame: await pausedSteps(
        joinSteps(parts.length > 0 ? parts : this.#empty.filter(isUsed).map(({ frame }) => frame)),
      ),
      askedAt: askedAtOf(this.#months.filter(isUsed), this.#stepMs, this.#span),
      ...(newest ? { meta: parseMeta(newest.meta), metaAskedAt: newest.metaAskedAt } : { meta: {} }),
    };
  }
}

/** When each step was requested; a step of several units when the first of them was. */
function askedAtOf(months: readonly RequestedMonth[], stepMs: number, span: Span): Float64Array {
  const unitMs = fileUnitOf(stepMs);
  const first = Math.floor(span.start / unitMs);
  const units = new Float64Array(Math.ceil(span.end / unitMs) - first);
  for (const { month, askedAt, unitMs: archivedMs } of months) {
    if (archivedMs !== unitMs) continue;
    const at = unitsIn(month, unitMs).first - first;
    const from = Math.max(0, -at);
    const to = Math.min(askedAt.length, units.length - at);
    if (to > from) units.set(askedAt.subarray(from, to), at + from);
  }
  const perStep = Math.round(stepMs / unitMs);
  if (perStep === 1) return units;
  const steps = new Float64Array(Math.ceil((span.end - span.start) / stepMs));
  return steps.map((_, step) =>
    units.subarray(step * perStep, (step + 1) * perStep).reduce((a, b) => Math.min(a, b), Infinity),
  );
}

/** Joins which steps of a range are archived from its months, in their order. Steps are of a day at most. */
export class ArchivedSteps {
  readonly #stepMs: number;
  readonly #span: Span;
  readonly #months: RequestedMonth[] = [];
  readonly #hasRow: Uint8Array;
  readonly #hasValue = new Map<string, Uint8Array>();

  constructor(stepMs: number, span: Span) {
    this.#stepMs = stepMs;
    this.#span = span;
    this.#hasRow = new Uint8Array(Math.max(0, Math.ceil((span.end - span.start) / stepMs)));
  }

  add(month: Month, opened: MonthSteps): void {
    const { file, rowCount, columns, unitMs, askedAt } = opened;
    this.#months.push({ month, unitMs, askedAt });
    const time = timeColumnIn(opened);
    const { from, to } = placesWithin(opened, this.#span);
    if (!time || to === from) return;
    const halves = halvesOf({ file, rowCount, from, to }, time.at.values);
    const steps = new Uint32Array(to - from).map((_, row) =>
      Math.floor((instantAt(halves, from + row) - this.#span.start) / this.#stepMs),
    );
    for (const step of steps) this.#hasRow[step] = 1;
    for (const { kind, name, nullCount, at } of columns) {
      if (kind !== 'number') continue;
      const values = this.#hasValue.get(name) ?? new Uint8Array(this.#hasRow.length);
      this.#hasValue.set(name, values);
      // Of several rows of one step the last counts.
      for (let row = 0; row < steps.length; row++)
        values[steps[row] ?? 0] = nullCount === 0 ? 1 : bitAt(file, at.validity, from + row);
    }
  }

  all(): KnownSteps {
    const askedAt = askedAtOf(this.#months, this.#stepMs, this.#span);
    return { askedAt, hasRow: this.#hasRow, hasValue: this.#hasValue };
  }
}
