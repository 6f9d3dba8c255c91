/** Takes the steps of a path: a Path2D, or the text of one. */
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

/** `hatch` names one of `hatches`, drawn in the second colour over the first. */
export interface Fill {
  readonly colour: string;
  readonly opacity: number;
  readonly hatch?: { readonly index: number; readonly colour: string };
}

export interface Stroke {
  readonly colour: string;
  readonly width: number;
  readonly dash: readonly number[];
}

/** How a mark over what is drawn looks. */
export interface MarkLook {
  readonly fill: Fill;
  readonly stroke: Stroke;
}

/** What a picture is made of, in CSS pixels; painted on a canvas or written as SVG. */
export type Shape =
  | { readonly kind: 'path'; readonly trace: Trace; readonly fill?: Fill; readonly stroke?: Stroke }
  | { readonly kind: 'text'; readonly text: string; readonly at: TextPosition; readonly look: TextLook }
  | { readonly kind: 'clip'; readonly box: Box; readonly shapes: readonly Shape[] };

export interface TextPosition {
  readonly x: number;
  /** The middle of the letters. */
  readonly y: number;
}

export interface TextLook {
  readonly colour: string;
  /** CSS pixels. */
  readonly size: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
  /** A line around the letters that lifts them off what is under them. */
  readonly halo?: string;
}

/** Line segments in a tile of `hatchTile` by `hatchTile` pixels, [x1, y1, x2, y2]; the first is plain. */
export const hatchTile = 8;
export const hatches: readonly (readonly (readonly [number, number, number, number])[])[] = [
  [],
  [
    [-2, 2, 2, -2],
    [-2, 10, 10, -2],
    [6, 10, 10, 6],
  ],
  [
    [-2, 6, 2, 10],
    [-2, -2, 10, 10],
    [6, -2, 10, 2],
  ],
  [[0, 4, 8, 4]],
  [[4, 0, 4, 8]],
  [
    [0, 4, 8, 4],
    [4, 0, 4, 8],
  ],
  [[3, 4, 5, 4]],
  [
    [-2, 10, 10, -2],
    [-2, -2, 10, 10],
  ],
];

/** The last one: diagonals both ways. No area with a colour has it. */
export const crossHatch = hatches.length - 1;

export function hatchOf(index: number): (typeof hatches)[number] {
  return hatches[index % hatches.length] ?? [];
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
