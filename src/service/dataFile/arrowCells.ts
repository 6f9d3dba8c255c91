import { IntervalUnit, Type, type DataType, type Field, type Metadata } from '@uwdata/flechette';
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
  toJson,
  createListCells,
  numberCells,
  createObjectCells,
  textCells,
  uuidCells,
  type CellReader,
} from './cells.ts';

/** A value of a union, with the index of its type. */
export interface UnionValue {
  readonly typeIndex: number;
  readonly value: unknown;
}

/** Selects the cell reader for a field; undefined for an unsupported type. */
export function selectArrowCells({ type, metadata }: Pick<Field, 'type' | 'metadata'>): CellReader | undefined {
  switch (type.typeId) {
    case Type.Dictionary:
      return selectArrowCells({ type: type.dictionary, metadata });
    case Type.RunEndEncoded:
      return selectArrowCells(type.children[1]);
    case Type.Null:
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return textCells;
    case Type.Bool:
      return booleanCells;
    case Type.Float:
      return numberCells;
    case Type.Int:
      return integerCells;
    case Type.Decimal:
      return createDecimalCells(type.scale, value => value as number | bigint);
    case Type.Date:
      return createDateCells(1);
    case Type.Timestamp:
      return createInstantCells(3 * type.unit, !type.timezone);
    case Type.Time:
      return createTimeOfDayCells(3 * type.unit);
    case Type.Duration:
      return createDurationCells(3 * type.unit);
    case Type.Interval:
      return createIntervalCells(type.unit === IntervalUnit.DAY_TIME ? 3 : 9, value => toInterval(value, type.unit));
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      // The library's types do not say that a field may be without metadata.
      return (metadata as Metadata | null)?.get('ARROW:extension:name') === 'arrow.uuid' ? uuidCells : byteCells;
    case Type.List:
    case Type.LargeList:
    case Type.ListView:
    case Type.LargeListView:
    case Type.FixedSizeList:
      return createListCells(selectArrowCells(type.children[0]));
    case Type.Struct:
      return createObjectCells(listChildFields(type), (object, name) => (object as Record<string, unknown>)[name]);
    case Type.Map: {
      const parts = listChildFields(type.children[0].type).map(({ cells }, index) => ({
        name: index === 0 ? 'key' : 'value',
        cells,
      }));
      return createListCells(createObjectCells(parts, (pair, _, index) => (pair as unknown[])[index]));
    }
    case Type.Union:
      return createUnionCells(listChildFields(type));
    default:
      return undefined;
  }
}

function listChildFields(type: DataType): { readonly name: string; readonly cells: CellReader | undefined }[] {
  const fields: readonly Field[] = 'children' in type ? type.children : [];
  return fields.map(field => ({ name: field.name, cells: selectArrowCells(field) }));
}

function toInterval(value: unknown, unit: number): [months: bigint, days: bigint, units: bigint] {
  const parts = typeof value === 'number' ? [value] : [...(value as Iterable<number | bigint>)];
  const [first = 0n, second = 0n, nanos = 0n] = parts.map(BigInt);
  return unit === IntervalUnit.DAY_TIME ? [0n, first, second] : [first, second, nanos];
}

function createUnionCells(fields: readonly { readonly cells: CellReader | undefined }[]): CellReader | undefined {
  const parts = fields.flatMap(({ cells }) => cells ?? []);
  if (parts.length < fields.length) return undefined;
  const toValue = (union: unknown): [cells: CellReader, value: unknown] => {
    const { typeIndex, value } = union as UnionValue;
    return [parts[typeIndex] ?? textCells, value];
  };
  return {
    kind: 'text',
    toCell: union => toJson(...toValue(union)),
    toText: union => {
      const [{ toText }, value] = toValue(union);
      return toText(value);
    },
    depth: Math.max(0, ...parts.map(({ depth = 0 }) => depth)),
  };
}
