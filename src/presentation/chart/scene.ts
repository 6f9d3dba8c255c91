/** Receives the commands of a path: a Path2D, or the serializer of an SVG path. */
export interface Sink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  rect(x: number, y: number, width: number, height: number): void;
}

export type Trace = (sink: Sink) => void;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A fill color, with an optional hatch in a second color over it. `index` is that of `hatches`. */
export interface Fill {
  readonly color: string;
  readonly opacity: number;
  readonly hatch?: { readonly index: number; readonly color: string };
}

export interface Stroke {
  readonly color: string;
  readonly width: number;
  readonly dash: readonly number[];
}

/** The style of a mark over the layers. */
export interface MarkStyle {
  readonly fill: Fill;
  readonly stroke: Stroke;
}

/** A part of a picture, in CSS pixels; painted on a canvas or serialized as SVG. */
export type Shape =
  | { readonly kind: 'path'; readonly trace: Trace; readonly fill?: Fill; readonly stroke?: Stroke }
  | { readonly kind: 'text'; readonly text: string; readonly position: Pick<Box, 'x' | 'y'>; readonly style: TextStyle }
  | { readonly kind: 'clip'; readonly box: Box; readonly shapes: readonly Shape[] };

export interface TextStyle {
  readonly color: string;
  /** CSS pixels. */
  readonly size: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
  /** The color of an outline that separates the text from the background. */
  readonly halo?: string;
}

/** The width and height of a hatch tile in pixels. */
export const hatchTile = 8;
/** Hatches as SVG paths in a tile; the first is plain. */
export const hatches = [
  '',
  'M-2 2L2 -2M-2 10L10 -2M6 10L10 6',
  'M-2 6L2 10M-2 -2L10 10M6 -2L10 2',
  'M0 4L8 4',
  'M4 0L4 8',
  'M0 4L8 4M4 0L4 8',
  'M3 4L5 4',
  'M-2 10L10 -2M-2 -2L10 10',
];

/** The last hatch: diagonals in both directions. Colored areas do not use it. */
export const crossHatch = hatches.length - 1;

export function getHatch(index: number): string {
  return hatches[index % hatches.length] ?? '';
}

/** Creates a text that is vertically centerd on `y`. */
export function createText(text: string, x: number, y: number, style: TextStyle): Shape {
  return { kind: 'text', text, position: { x, y }, style };
}

/** Creates a filled path. */
export function createFilledPath(trace: Trace, color: string, opacity = 1): Shape {
  return { kind: 'path', trace, fill: { color, opacity } };
}

/** Creates a stroked path, solid unless `dash` is given. */
export function createStrokedPath(trace: Trace, color: string, width = 1, dash: readonly number[] = []): Shape {
  return { kind: 'path', trace, stroke: { color, width, dash } };
}

export function boxesTrace(boxes: readonly Box[]): Trace {
  return sink => boxes.forEach(box => boxTrace(box)(sink));
}

export function boxTrace({ x, y, width, height }: Box): Trace {
  return sink => sink.rect(x, y, width, height);
}

export function lineTrace(x1: number, y1: number, x2: number, y2: number): Trace {
  return sink => {
    sink.moveTo(x1, y1);
    sink.lineTo(x2, y2);
  };
}
