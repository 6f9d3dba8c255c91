import { isUtf8 } from 'node:buffer';
import { Type, type DataType, type Field } from '@uwdata/flechette';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import { dayMs } from '../../shared/durations.ts';
import {
  booleanCells,
  byteCells,
  clockCells,
  dateCells,
  decimalCells,
  durationCells,
  instantCells,
  integerCells,
  intervalCells,
  jsonCells,
  listCells,
  mappedCells,
  numberCells,
  objectCells,
  textCells,
  type CellReader,
} from './cells.ts';

const places = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

/** Whether bytes are text without control characters other than tabs and line breaks. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && bytes.every(byte => byte >= 32 || (byte >= 9 && byte <= 13));
}

function bytesText(value: unknown): string {
  const bytes = value as Uint8Array;
  return isText(bytes) ? Buffer.from(bytes).toString() : byteCells.toText(bytes);
}

/** Reads bytes without a type, as which old writers store texts. */
export const untypedCells: CellReader = { ...byteCells, toCell: bytesText, toText: bytesText };

const annotationText = ({ logical_type: logical, converted_type: converted }: SchemaElement): string =>
  logical?.type ?? converted ?? '';

/** Whether the values are unsigned 32-bit integers. */
export function isUint32({ logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  return logical?.type === 'INTEGER' ? logical.bitWidth === 32 && !logical.isSigned : converted === 'UINT_32';
}

/** Removes annotations for which the library would round or change values, so that it decodes only texts and small numbers. */
export function decodedElement(element: SchemaElement): SchemaElement {
  const annotation = annotationText(element);
  if (/^(UTF8|STRING|FLOAT16|UUID|INTEGER|UINT_64)$/.test(annotation) && !isUint32(element)) return element;
  const { logical_type: _logical, converted_type: _converted, ...bare } = element;
  return /^(ENUM|JSON)$/.test(annotation) ? { ...bare, converted_type: 'UTF8' } : bare;
}

/**
 * Selects the cell reader for a column or field; undefined for an unsupported type. `type`: the type that Arrow's own writers store in the
 * metadata.
 */
export function parquetCells(tree: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const cells = itemCells(tree, type);
  return tree.element.repetition_type === 'REPEATED' ? listCells(cells) : cells;
}

/** Selects the cell reader for an item of a repeated field. */
function itemCells(tree: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const [group, ...others] = tree.children;
  if (!group) return leafCells(tree.element, type);
  const annotation = annotationText(tree.element);
  if (annotation === 'VARIANT') return undefined;
  const isList = annotation === 'LIST';
  if (!(isList || annotation.startsWith('MAP')) || group.element.repetition_type !== 'REPEATED' || others.length > 0)
    return fieldsCells(tree, type);
  const list = isList
    ? listedCells(tree.element.name, group, childType(type, 0))
    : listCells(fieldsCells(group, childType(type, 0), ['key', 'value']));
  return list && mappedCells(list, value => childValue(value, group));
}

/**
 * Reads lists. The items are the repeated group or its only field
 * (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#backward-compatibility-rules).
 */
function listedCells(list: string, group: SchemaTree, type: DataType | undefined): CellReader | undefined {
  const [field, ...others] = group.children;
  const { name } = group.element;
  const isItem = name === 'array' || name === `${list}_tuple` || field?.element.repetition_type === 'REPEATED';
  if (!field || others.length > 0 || isItem) return listCells(itemCells(group, type));
  return listCells(parquetCells(field, type), item => childValue(item, field));
}

function fieldsCells(
  { children }: SchemaTree,
  type: DataType | undefined,
  names: readonly string[] = [],
): CellReader | undefined {
  const fields = children.map((tree, at) => ({
    name: names[at] ?? tree.element.name,
    cells: parquetCells(tree, childType(type, at)),
  }));
  return objectCells(fields, (value, _, at) => childValue(value, children[at] as SchemaTree));
}

function childValue(value: unknown, { element: { name, repetition_type: repetition } }: SchemaTree): unknown {
  const part = (value as Record<string, unknown>)[name];
  // The library has no value for an empty list by some old writers.
  return part ?? (repetition === 'REPEATED' ? [] : part);
}

function childType(type: DataType | undefined, index: number): DataType | undefined {
  return (type as { readonly children?: readonly Field[] } | undefined)?.children?.[index]?.type;
}

function leafCells(element: SchemaElement, type: DataType | undefined): CellReader {
  const { type: physical, converted_type: converted, logical_type: logical, scale = 0 } = element;
  const unit = logical && 'unit' in logical ? logical.unit : converted?.endsWith('MICROS') ? 'MICROS' : 'MILLIS';
  const annotation = physical === 'INT96' ? physical : annotationText(element);
  switch (annotation) {
    case 'INT96':
      return instantCells(places.NANOS, false);
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return instantCells(places[unit], logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC);
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return clockCells(places[unit]);
    case 'DATE':
      return dateCells(dayMs);
    case 'DECIMAL':
      return decimalCells(logical?.type === 'DECIMAL' ? logical.scale : scale, toWhole);
    case 'INTERVAL':
      return intervalCells(places.MILLIS, toInterval);
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
  const stored = type?.typeId === Type.Dictionary ? type.dictionary : type;
  switch (physical) {
    case 'BOOLEAN':
      return booleanCells;
    case 'INT32':
      return isUint32(element) ? { ...numberCells, toCell: toUint32, isDirect: false } : numberCells;
    case 'FLOAT':
    case 'DOUBLE':
      return numberCells;
    case 'INT64':
      return stored?.typeId === Type.Duration ? durationCells(3 * stored.unit) : integerCells;
    case 'BYTE_ARRAY':
      return stored ? byteCells : untypedCells;
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
