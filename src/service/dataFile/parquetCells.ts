import { isUtf8 } from 'node:buffer';
import { Type, type DataType, type Field } from '@uwdata/flechette';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import { dayMs } from '../../shared/durations.ts';
import {
  booleanCells,
  byteCells,
  createTimeOfDayCells,
  createDateCells,
  createDecimalCells,
  createDurationCells,
  createInstantCells,
  integerCells,
  createIntervalCells,
  jsonCells,
  createListCells,
  mapRawCells,
  numberCells,
  createObjectCells,
  textCells,
  type CellReader,
} from './cells.ts';

const decimalsByUnit = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** Whether bytes are text without control characters other than tabs and line breaks. */
export function isTextBytes(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && bytes.every(byte => byte >= 32 || (byte >= 9 && byte <= 13));
}

function formatBytes(value: unknown): string {
  const bytes = value as Uint8Array;
  return isTextBytes(bytes) ? Buffer.from(bytes).toString() : byteCells.toText(bytes);
}

/** Reads bytes without a type. Old writers store texts in this form. */
export const untypedCells: CellReader = { ...byteCells, toCell: formatBytes, toText: formatBytes };

const getAnnotation = ({ logical_type: logical, converted_type: converted }: SchemaElement): string =>
  logical?.type ?? converted ?? '';

/** Whether the values are unsigned 32-bit integers. */
export function isUint32({ logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  return logical?.type === 'INTEGER' ? logical.bitWidth === 32 && !logical.isSigned : converted === 'UINT_32';
}

/** Removes annotations for which the library would round or change values, so that it decodes only texts and small numbers. */
export function removeLossyAnnotation(element: SchemaElement): SchemaElement {
  const annotation = getAnnotation(element);
  if (/^(UTF8|STRING|FLOAT16|UUID|INTEGER|UINT_64)$/.test(annotation) && !isUint32(element)) return element;
  const { logical_type: _logical, converted_type: _converted, ...rest } = element;
  return /^(ENUM|JSON)$/.test(annotation) ? { ...rest, converted_type: 'UTF8' } : rest;
}

/**
 * Selects the cell reader for a column or field; undefined for an unsupported type. `type`: the type that Arrow's own writers store in the
 * metadata.
 */
export function selectParquetCells(tree: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const cells = selectItemCells(tree, type);
  return tree.element.repetition_type === 'REPEATED' ? createListCells(cells) : cells;
}

/** Selects the cell reader for an item of a repeated field. */
function selectItemCells(tree: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const [group, ...others] = tree.children;
  if (!group) return selectLeafCells(tree.element, type);
  const annotation = getAnnotation(tree.element);
  if (annotation === 'VARIANT') return undefined;
  const isList = annotation === 'LIST';
  if (!(isList || annotation.startsWith('MAP')) || group.element.repetition_type !== 'REPEATED' || others.length > 0)
    return createFieldsCells(tree, type);
  const list = isList
    ? createParquetListCells(tree.element.name, group, getChildType(type, 0))
    : createListCells(createFieldsCells(group, getChildType(type, 0), ['key', 'value']));
  return list && mapRawCells(list, value => getChildValue(value, group));
}

/**
 * Reads lists. The items are the repeated group or its only field
 * (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#backward-compatibility-rules).
 */
function createParquetListCells(list: string, group: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const [field, ...others] = group.children;
  const { name } = group.element;
  const isItem = name === 'array' || name === `${list}_tuple` || field?.element.repetition_type === 'REPEATED';
  if (!field || others.length > 0 || isItem) return createListCells(selectItemCells(group, type));
  return createListCells(selectParquetCells(field, type), item => getChildValue(item, field));
}

function createFieldsCells(
  { children }: SchemaTree,
  type: DataType | undefined,
  names: readonly string[] = [],
): CellReader | undefined {
  const fields = children.map((tree, index) => ({
    name: names[index] ?? tree.element.name,
    cells: selectParquetCells(tree, getChildType(type, index)),
  }));
  return createObjectCells(fields, (value, _, index) => getChildValue(value, children[index] as SchemaTree));
}

function getChildValue(value: unknown, { element: { name, repetition_type: repetition } }: SchemaTree): unknown {
  const part = (value as Record<string, unknown>)[name];
  // The library returns no value for an empty list that some old writers store.
  return part ?? (repetition === 'REPEATED' ? [] : part);
}

function getChildType(type: DataType | undefined, index: number): DataType | undefined {
  return (type as { readonly children?: readonly Field[] } | undefined)?.children?.[index]?.type;
}

function selectLeafCells(element: SchemaElement, type: DataType | undefined): CellReader {
  const { type: physical, converted_type: converted, logical_type: logical, scale = 0 } = element;
  const unit = logical && 'unit' in logical ? logical.unit : converted?.endsWith('MICROS') ? 'MICROS' : 'MILLIS';
  const annotation = physical === 'INT96' ? physical : getAnnotation(element);
  switch (annotation) {
    case 'INT96':
      return createInstantCells(decimalsByUnit.NANOS, false);
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return createInstantCells(decimalsByUnit[unit], logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC);
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return createTimeOfDayCells(decimalsByUnit[unit]);
    case 'DATE':
      return createDateCells(dayMs);
    case 'DECIMAL':
      return createDecimalCells(logical?.type === 'DECIMAL' ? logical.scale : scale, toWhole);
    case 'INTERVAL':
      return createIntervalCells(decimalsByUnit.MILLIS, toInterval);
    case 'JSON':
      return jsonCells;
    case 'FLOAT16':
      return numberCells;
    case 'BSON':
    case 'GEOMETRY':
    case 'GEOGRAPHY':
      return byteCells;
    case 'NULL':
    case 'STRING':
    case 'UTF8':
    case 'ENUM':
    case 'UUID':
      return textCells;
    default:
  }
  const storedType = type?.typeId === Type.Dictionary ? type.dictionary : type;
  switch (physical) {
    case 'BOOLEAN':
      return booleanCells;
    case 'INT32':
      return isUint32(element) ? { ...numberCells, toCell: toUint32, isDirect: false } : numberCells;
    case 'FLOAT':
    case 'DOUBLE':
      return numberCells;
    case 'INT64':
      return storedType?.typeId === Type.Duration ? createDurationCells(3 * storedType.unit) : integerCells;
    case 'BYTE_ARRAY':
      return storedType ? byteCells : untypedCells;
    default:
      return byteCells;
  }
}

function toUint32(value: unknown): number {
  return typeof value === 'bigint' ? Number(BigInt.asUintN(32, value)) : Number(value) >>> 0;
}

/** Returns the digits of a decimal, which may be a big-endian integer in bytes. */
function toWhole(value: unknown): number | bigint {
  if (!(value instanceof Uint8Array)) return value as number | bigint;
  const number = value.reduce((whole, byte) => whole * 256 + byte, (value[0] ?? 0) > 127 ? -1 : 0);
  if (Number.isSafeInteger(number)) return number;
  return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`));
}

function toInterval(value: unknown): [months: bigint, days: bigint, ms: bigint] {
  const view = new DataView(Uint8Array.from(value as Uint8Array).buffer);
  return [BigInt(view.getUint32(0, true)), BigInt(view.getUint32(4, true)), BigInt(view.getUint32(8, true))];
}
