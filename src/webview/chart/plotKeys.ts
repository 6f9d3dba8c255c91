/** What a key does on the plot. */
export type PlotCommand =
  | 'next'
  | 'previous'
  | 'nextDay'
  | 'previousDay'
  | 'first'
  | 'last'
  | 'panLeft'
  | 'panRight'
  | 'zoomIn'
  | 'zoomOut'
  | 'reset'
  | 'leave';

/** The parts of a keyboard event that matter. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const plain: ReadonlyMap<string, PlotCommand> = new Map<string, PlotCommand>([
  ['ArrowRight', 'next'],
  ['ArrowLeft', 'previous'],
  ['PageDown', 'nextDay'],
  ['PageUp', 'previousDay'],
  ['Home', 'first'],
  ['End', 'last'],
  ['+', 'zoomIn'],
  ['=', 'zoomIn'],
  ['-', 'zoomOut'],
  ['0', 'reset'],
  ['Escape', 'leave'],
]);

/** The command of a key; undefined for a key that is not the chart's, which then keeps its meaning elsewhere. */
export function plotCommand({ key, ctrlKey, metaKey, altKey }: KeyPress): PlotCommand | undefined {
  if (altKey) return undefined;
  if (!ctrlKey && !metaKey) return plain.get(key);
  return key === 'ArrowLeft' ? 'panLeft' : key === 'ArrowRight' ? 'panRight' : undefined;
}
