import type { CellPosition } from './gridSelection.ts';

/** The fixed elements of the grid: a scroller, a spacer that gives the scrollbar its length, and a layer that stays in view and holds the header and the rows. */
export interface GridDom {
  readonly root: HTMLElement;
  readonly scroller: HTMLElement;
  readonly spacer: HTMLElement;
  readonly layer: HTMLElement;
  readonly header: HTMLElement;
  readonly body: HTMLElement;
  /** Shows where a dragged column would be dropped. */
  readonly dropLine: HTMLElement;
  /** Invisible cells. Texts are measured in their fonts. */
  readonly headerProbe: HTMLElement;
  readonly cellProbe: HTMLElement;
}

/** Creates the elements without `innerHTML`. */
export function createGridDom(label: string): GridDom {
  const root = createElement('grid', 'grid');
  root.setAttribute('aria-label', label);
  root.setAttribute('aria-multiselectable', 'true');
  root.setAttribute('aria-readonly', 'true');
  const scroller = createElement('grid-scroller');
  const spacer = createElement('grid-spacer');
  const layer = createElement('grid-layer');
  const header = createElement('grid-header', 'row');
  const body = createElement('grid-body', 'rowgroup');
  const dropLine = createElement('grid-drop');
  dropLine.hidden = true;
  dropLine.setAttribute('aria-hidden', 'true');
  const probes = createElement('grid-probes');
  const headerProbe = createElement('grid-label');
  const cellProbe = createElement('grid-cell');
  probes.setAttribute('aria-hidden', 'true');
  probes.append(headerProbe, cellProbe);
  const headerGroup = createElement('grid-head', 'rowgroup');
  headerGroup.append(header);
  layer.append(headerGroup, body, dropLine);
  spacer.append(layer);
  scroller.append(spacer);
  root.append(scroller, probes);
  return { root, scroller, spacer, layer, header, body, dropLine, headerProbe, cellProbe };
}

/** Creates a div with a class and an optional role. */
export function createElement(className: string, role?: string): HTMLDivElement {
  const div = document.createElement('div');
  div.className = className;
  if (role) div.setAttribute('role', role);
  return div;
}

/** Finds the cell or header that contains the target of an event. */
export function findCellElement(target: EventTarget | null): HTMLElement | undefined {
  const cell = target instanceof Element ? target.closest('[aria-colindex]') : null;
  return cell instanceof HTMLElement ? cell : undefined;
}

/** Finds the position of the cell that contains the target of an event. */
export function findCellPosition(target: EventTarget | null): CellPosition | undefined {
  const cell = findCellElement(target);
  const row = cell?.closest('[aria-rowindex]');
  if (!cell || !row) return undefined;
  return { row: Number(row.ariaRowIndex) - 2, column: Number(cell.ariaColIndex) - 1 };
}
