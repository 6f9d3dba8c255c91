import { getHatch, hatchTile, type Fill, type Shape } from '../../presentation/chart/scene.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Resizes and clears a canvas. The size, and the coordinates of the returned context, are CSS pixels. Throws if the browser cannot create a canvas that large. */
export function clearCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio = devicePixelRatio,
): CanvasRenderingContext2D {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser cannot create a canvas of this size.');
  context.scale(ratio, ratio);
  return context;
}

/** Paints shapes on a canvas whose transform maps CSS pixels to its own. */
export function paint(context: Context, shapes: readonly Shape[], font: string): void {
  for (const shape of shapes) {
    context.save();
    paintShape(context, shape, font);
    context.restore();
  }
}

function paintShape(context: Context, shape: Shape, font: string): void {
  switch (shape.kind) {
    case 'path': {
      const path = new Path2D();
      shape.trace(path);
      const { fill, stroke } = shape;
      if (fill && fill.opacity > 0) {
        context.globalAlpha = fill.opacity;
        context.fillStyle = fill.color;
        context.fill(path);
        context.globalAlpha = 1;
        const pattern = fill.hatch && hatchPattern(context, fill.hatch);
        if (pattern) {
          context.fillStyle = pattern;
          context.fill(path);
        }
      }
      if (!stroke) return;
      context.strokeStyle = stroke.color;
      context.lineWidth = stroke.width;
      context.lineJoin = 'round';
      context.setLineDash([...stroke.dash]);
      context.stroke(path);
      return;
    }
    case 'text': {
      const { color, size, anchor, bold, halo } = shape.style;
      context.font = `${bold ? '600 ' : ''}${size}px ${font}`;
      context.textAlign = anchor === 'middle' ? 'center' : anchor;
      context.textBaseline = 'middle';
      if (halo) {
        context.strokeStyle = halo;
        context.lineWidth = 3;
        context.lineJoin = 'round';
        context.strokeText(shape.text, shape.position.x, shape.position.y);
      }
      context.fillStyle = color;
      context.fillText(shape.text, shape.position.x, shape.position.y);
      return;
    }
    case 'clip': {
      const { x, y, width, height } = shape.box;
      context.beginPath();
      context.rect(x, y, width, height);
      context.clip();
      paint(context, shape.shapes, font);
    }
  }
}

/** Creates a pattern with the resolution of the canvas. */
function hatchPattern(context: Context, { index, color }: NonNullable<Fill['hatch']>): CanvasPattern | undefined {
  const lines = getHatch(index);
  if (lines === '') return undefined;
  const scale = Math.max(1, Math.round(context.getTransform().a));
  const tile = new OffscreenCanvas(hatchTile * scale, hatchTile * scale);
  const tileContext = tile.getContext('2d');
  if (!tileContext) return undefined;
  tileContext.scale(scale, scale);
  tileContext.strokeStyle = color;
  tileContext.stroke(new Path2D(lines));
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? undefined;
}

/** Returns a function that measures the width of a text in a font. Sizes and widths are CSS pixels. */
export function createTextRuler(font: string): (text: string, size: number) => number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  return (text, size) => {
    if (!context) return text.length * size * 0.6;
    context.font = `${size}px ${font}`;
    return context.measureText(text).width;
  };
}
