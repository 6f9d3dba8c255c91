import type { Column, Frame } from '../../shared/frame.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { GridColumn, GridData } from '../grid/gridColumn.ts';
import { numberGridColumn } from './numberGridColumn.ts';
import { booleanGridColumn, textGridColumn } from './textGridColumn.ts';
import { timeGridColumn } from './timeGridColumn.ts';

/** A frame as the grid shows it: the first time column, where there is one, comes first and stays in place. */
export function gridDataOf(frame: Frame, locale: string, zone: DisplayZone, step?: number): GridData {
  const time = frame.columns.find(column => column.kind === 'time');
  const ordered = time ? [time, ...frame.columns.filter(column => column !== time)] : frame.columns;
  return {
    rowCount: frame.rowCount,
    columns: ordered.map(column => gridColumnOf(column, frame.rowCount, locale, zone, step)),
  };
}

function gridColumnOf(column: Column, rowCount: number, locale: string, zone: DisplayZone, step?: number): GridColumn {
  switch (column.kind) {
    case 'time':
      return timeGridColumn(column, rowCount, locale, zone, step);
    case 'number':
      return numberGridColumn(column, rowCount, locale);
    case 'boolean':
      return booleanGridColumn(column);
    case 'text':
    case 'nested':
      return textGridColumn(column);
  }
}
