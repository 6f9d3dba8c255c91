import { dayMs, hourMs, minuteMs, weekMs } from '../../shared/durations.ts';
import { isObject, type JsonObject } from '../decode/envelope.ts';
import { uniqueName, uniqueNames } from '../export/exportTable.ts';
import { formatInstant, parseInstant } from '../time/instant.ts';
import { parseTime } from '../time/writtenTime.ts';
import { cellKind, detectKinds, parseDigitTime, timeKinds } from './cellKinds.ts';

/** The JSON of another program, converted to a value that the response decoder reads as a table. */
export interface JsonTable {
  readonly value: unknown;
  /** The units by column name. */
  readonly units?: ReadonlyMap<string, string>;
  /** The names of members that are not in the table. */
  readonly omitted?: readonly string[];
}

const maxDepth = 6;
/** The members whose value may be a table. */
const envelopeMembers = ['response', 'data', 'results', 'result', 'GL_MarketDocument', 'Publication_MarketDocument'];
/** The members whose value may be a series, in responses of OpenElectricity and ENTSO-E. */
const seriesMembers = ['data', 'results', 'history', 'forecast', 'TimeSeries'];

/**
 * Converts tables of pandas, GeoJSON and known services, pairs of epochs and values, and values at a fixed interval. Returns undefined for any
 * other JSON, which the decoder reads unchanged.
 */
export function convertJsonTable(value: unknown, depth = 0): JsonTable | undefined {
  if (depth > maxDepth) return undefined;
  const series = collectSeries(value);
  if (series) return joinSeries(series);
  if (Array.isArray(value)) return value.length > 0 && value.every(isEpochRow) ? readEpochRows(value) : undefined;
  if (!isObject(value)) return undefined;
  const table = readFeatures(value) ?? readSplitFrame(value) ?? readLabelledFrame(value) ?? readTimedColumns(value);
  if (table) return table;
  for (const name of envelopeMembers) {
    const inner = convertJsonTable(value[name], depth + 1);
    if (inner) return inner;
  }
  return findTableMember(value);
}

/** Finds a table in the members that EIA, PVGIS and Open-Meteo use and that the decoder does not know. */
function findTableMember(value: JsonObject): JsonTable | undefined {
  const [name, ...omittedMembers] = ['response', 'outputs', 'minutely_15', 'hourly', 'daily'].filter(member => {
    const table = value[member];
    return isObject(table) && Object.values(table).some(Array.isArray);
  });
  const units = name === undefined ? undefined : value[`${name}_units`];
  const unitsByName = Object.entries(isObject(units) ? units : {}).filter((unit): unit is [string, string] =>
    isText(unit[1]),
  );
  return name === undefined ? undefined : { value: value[name], units: new Map(unitsByName), omitted: omittedMembers };
}

/** Reads lists of equal length as columns if one of them has times. Single values next to them are dropped. */
function readTimedColumns(value: JsonObject): JsonTable | undefined {
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const length = lists[0]?.[1].length;
  const isColumn = ([, cells]: [string, unknown[]]): boolean => cells.length === length && cells.every(isScalar);
  const isTime = ([, cells]: [string, unknown[]]): boolean =>
    cells.every(cell => isEpochRow([cell]) || (isText(cell) && isTimeLabel(cell)));
  if (lists.length < 2 || Object.values(value).some(isObject) || !lists.every(isColumn)) return undefined;
  return lists.some(isTime) ? { value: Object.fromEntries(lists) } : undefined;
}

function isScalar(value: unknown): boolean {
  return !isObject(value) && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTimeLabel(label: string): boolean {
  const kinds = detectKinds(label, cellKind.digitTime | timeKinds);
  return (kinds & timeKinds) !== 0 || (kinds !== 0 && parseDigitTime(label) !== undefined);
}

function isRowNumber(label: string): boolean {
  return /^\d{1,7}$/.test(label);
}

/** Whether a row begins with seconds or milliseconds since 1970. */
function isEpochRow(row: unknown): row is readonly unknown[] {
  return Array.isArray(row) && typeof row[0] === 'number' && /^[1-9]\d{9}(?:\d{3})?$/.test(String(row[0]));
}

function readEpochRows(rows: readonly (readonly unknown[])[]): JsonTable {
  const width = rows.reduce((maxWidth, row) => Math.max(maxWidth, row.length), 0);
  const columns = Array.from({ length: width }, (_, index) => (index === 0 ? 'ts' : `column ${index + 1}`));
  return { value: { columns, data: rows } };
}

/** Reads the properties of GeoJSON features as records. */
function readFeatures({ type, features }: JsonObject): JsonTable | undefined {
  if (type !== 'FeatureCollection' || !Array.isArray(features) || !features.every(isObject)) return undefined;
  const records = features.map(({ id, properties }) => ({
    ...(id !== undefined && { id }),
    ...(properties as object),
  }));
  return { value: records, omitted: features.some(({ geometry }) => geometry) ? ['geometry'] : [] };
}

/** Reads pandas' orient=split, whose index is often the time. */
function readSplitFrame({ columns, index, data }: JsonObject): JsonTable | undefined {
  if (!Array.isArray(columns) || !Array.isArray(index) || !Array.isArray(data)) return undefined;
  if (index.length !== data.length || !columns.every(isText) || !data.every(Array.isArray)) return undefined;
  const labels = index.map(label => (isText(label) || typeof label === 'number' ? String(label) : ''));
  const name = chooseLabelName(labels, column => columns.includes(column));
  if (name === undefined) return undefined;
  return {
    value: {
      columns: [name, ...columns],
      data: data.map((cells: unknown[], row) => [index[row] as unknown, ...cells]),
    },
  };
}

/** Reads pandas' orient=index and orient=columns: objects whose keys are times or row numbers. */
function readLabelledFrame(value: JsonObject): JsonTable | undefined {
  const names = Object.keys(value);
  const members = Object.values(value);
  // The decoder itself reads records keyed by instants.
  if (names.every(name => parseInstant(name) !== undefined)) return undefined;
  if (names.every(isTimeLabel) || (names.every(isRowNumber) && members.every(isObject)))
    return addLabelColumn(
      names,
      members.map(member => (isObject(member) ? member : { value: member })),
    );
  const labels = isObject(members[0]) ? Object.keys(members[0]) : [];
  if (labels.length === 0 || !(labels.every(isTimeLabel) || labels.every(isRowNumber))) return undefined;
  const isColumn = (cells: unknown): cells is JsonObject =>
    isObject(cells) &&
    Object.keys(cells).length === labels.length &&
    labels.every(label => Object.hasOwn(cells, label) && !isObject(cells[label]));
  if (!members.every(isColumn)) return undefined;
  return addLabelColumn(
    labels,
    labels.map(label => Object.fromEntries(members.map((cells, index) => [names[index] ?? '', cells[label]]))),
  );
}

function addLabelColumn(labels: readonly string[], records: readonly JsonObject[]): JsonTable {
  const name = chooseLabelName(labels, labelColumn => records.some(record => Object.hasOwn(record, labelColumn)));
  return {
    value: name === undefined ? records : records.map((record, index) => ({ [name]: labels[index], ...record })),
  };
}

/** Chooses the name of the column of row labels; undefined if the labels are row numbers. */
function chooseLabelName(labels: readonly string[], has: (name: string) => boolean): string | undefined {
  if (labels.every((label, index) => label === String(index))) return undefined;
  return uniqueName(labels.every(isTimeLabel) ? 'ts' : 'index', { has });
}

type Point = readonly [time: string | number | null, value: unknown];

interface Series {
  readonly name?: string | undefined;
  readonly unit?: string | undefined;
  readonly points: readonly Point[];
}

/** Collects the series in a value, or undefined if any item of a list has none. `enclosing` is the name and unit of the enclosing object. */
function collectSeries(value: unknown, enclosing?: Omit<Series, 'points'>, depth = 0): readonly Series[] | undefined {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    const seriesOfItems: (readonly Series[])[] = [];
    for (const item of value) {
      const itemSeries = isObject(item) && collectSeries(item, enclosing, depth + 1);
      if (!itemSeries) return undefined;
      seriesOfItems.push(itemSeries);
    }
    return seriesOfItems.length > 0 ? seriesOfItems.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  const name = [value['id'], value['name'], enclosing?.name].find(isText);
  const unit = [value['units'], value['unit'], value['quantity_Measure_Unit.name'], enclosing?.unit].find(isText);
  const periods = [value['Period'] ?? value].flat().map(readRegularSeries);
  if (periods.every(period => period !== undefined))
    return [{ name: name ?? periods[0]?.name, unit, points: periods.flatMap(({ points }) => points) }];
  const hasHeading = Array.isArray(value['columns'] ?? value['fields']);
  if (name !== undefined && !hasHeading && isTimedPairs(value['data'])) return [{ name, unit, points: value['data'] }];
  const inner = seriesMembers.flatMap(member => collectSeries(value[member], { name, unit }, depth + 1) ?? []);
  return inner.length > 0 ? inner : undefined;
}

function isTimedPairs(rows: unknown): rows is readonly Point[] {
  const isPair = (row: unknown): boolean =>
    Array.isArray(row) && row.length === 2 && (isEpochRow(row) || (isText(row[0]) && isTimeLabel(row[0])));
  return Array.isArray(rows) && rows.length > 0 && rows.every(isPair);
}

/** Reads values at a fixed interval from a start. The time of a value follows from its position in the list, or from its `position` member. */
function readRegularSeries(value: unknown): Series | undefined {
  if (!isObject(value)) return undefined;
  const { timeInterval, start = isObject(timeInterval) ? timeInterval['start'] : undefined } = value;
  const first = isText(start) ? parseTime(start) : undefined;
  const addIntervals = parseInterval(value['interval'] ?? value['resolution']);
  const listName = ['values', 'data', 'Point'].find(member => Array.isArray(value[member]));
  if (!first || !addIntervals || listName === undefined) return undefined;
  const cells = value[listName] as readonly unknown[];
  // Rows that are lists or objects have their own times.
  if (listName !== 'Point' && !cells.every(isScalar)) return undefined;
  let name = listName;
  const points = cells.map((cell, index): Point => {
    const { position = index + 1, ...rest } = isObject(cell) && listName === 'Point' ? cell : { [listName]: cell };
    const [[member, number] = ['', undefined]] = Object.entries(rest);
    if (index === 0) name = member;
    return [formatTime(addIntervals(first.localTime, Number(position) - 1), first.offset), number];
  });
  return { name, points };
}

const unitLengths: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs, w: weekMs };

/** Parses an interval such as 5m, 1h, 1d, 1M, PT15M or P1Y. Returns a function that adds a number of intervals to a time. */
function parseInterval(interval: unknown): ((localTime: number, intervals: number) => number) | undefined {
  const match = /^(P?T?)(\d{1,4})(min|[mhdw]|[MHDWY])$/.exec(isText(interval) ? interval : '');
  const [, iso = '', count = '', letter = ''] = match ?? [];
  const length = unitLengths[letter.charAt(0).toLowerCase()] ?? 0;
  const months = letter === 'Y' ? 12 : letter === 'M' && !iso.endsWith('T') ? 1 : 0;
  if (Number(count) === 0) return undefined;
  if (months === 0) return (localTime, intervals) => localTime + intervals * Number(count) * length;
  return (localTime, intervals) =>
    new Date(localTime).setUTCMonth(new Date(localTime).getUTCMonth() + intervals * Number(count) * months);
}

/** Formats a time as ISO 8601; null if it is out of range. */
function formatTime(localTime: number, offset: number | undefined): string | null {
  const text = Math.abs(localTime) < 8e15 ? formatInstant(localTime - (offset ?? 0)) : '';
  return /^\d/.test(text) ? text.slice(0, offset === undefined ? -1 : undefined) : null;
}

/** Returns the number by which times are sorted and matched: UTC milliseconds for a text (as UTC if it has no offset), or an epoch unchanged. */
function getSortKey(time: Point[0]): number {
  const parsed = typeof time === 'string' ? parseTime(time) : undefined;
  return parsed ? parsed.localTime - (parsed.offset ?? 0) : Number(time);
}

/** Joins series as the columns of one table. A time that occurs twice in a series has two rows. */
function joinSeries(series: readonly Series[]): JsonTable {
  const [, ...names] = uniqueNames(['ts', ...series.map(({ name = 'value' }) => name)]);
  const rows = new Map<string, { readonly time: number; readonly record: Record<string, unknown> }>();
  for (const [column, { points }] of series.entries()) {
    const counts = new Map<number, number>();
    for (const [ts, value] of points) {
      const time = getSortKey(ts);
      const count = (counts.get(time) ?? 0) + 1;
      counts.set(time, count);
      const key = `${time} ${count}`;
      const row = rows.get(key) ?? {
        time,
        record: Object.assign(Object.create(null), { ts }) as Record<string, unknown>,
      };
      rows.set(key, row);
      row.record[names[column] ?? ''] = value;
    }
  }
  const sortedRows = series.length > 1 ? [...rows.values()].sort((a, b) => a.time - b.time) : [...rows.values()];
  const units = series.flatMap(({ unit }, index) => (unit ? [[names[index] ?? '', unit] as const] : []));
  return { value: sortedRows.map(({ record }) => record), units: new Map(units) };
}
