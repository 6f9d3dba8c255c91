/** The fixed elements of the grid: a scroller, a spacer that makes its scrollbar, and a layer that stays in sight and holds header and rows. */
export interface GridDom {
  readonly root: HTMLElement;
  readonly scroller: HTMLElement;
  readonly spacer: HTMLElement;
  readonly layer: HTMLElement;
  readonly header: HTMLElement;
  readonly body: HTMLElement;
  /** Invisible cells that lend their fonts to the measurement of texts. */
  readonly headerProbe: HTMLElement;
  readonly cellProbe: HTMLElement;
}

/** Builds the elements; nothing is set as markup. */
export function createGridDom(): GridDom {
  const root = element('grid', 'grid');
  const scroller = element('grid-scroller');
  const spacer = element('grid-spacer');
  const layer = element('grid-layer');
  const header = element('grid-header', 'row');
  const body = element('grid-body', 'rowgroup');
  const probes = element('grid-probes');
  const headerProbe = element('grid-label');
  const cellProbe = element('grid-cell');
  probes.setAttribute('aria-hidden', 'true');
  probes.append(headerProbe, cellProbe);
  const headerGroup = element('grid-head', 'rowgroup');
  headerGroup.append(header);
  layer.append(headerGroup, body);
  spacer.append(layer);
  scroller.append(spacer);
  root.append(scroller, probes);
  return { root, scroller, spacer, layer, header, body, headerProbe, cellProbe };
}

/** A div with a class and, if given, a role. */
export function element(className: string, role?: string): HTMLDivElement {
  const div = document.createElement('div');
  div.className = className;
  if (role) div.setAttribute('role', role);
  return div;
}
