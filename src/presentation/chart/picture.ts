import { t } from '@vscode/l10n';
import type { RowOrigin } from '../../shared/protocol.ts';
import { labelWithUnit } from '../columns/columnHeader.ts';
import type { TimeRange } from './chartModel.ts';
import { areaFill, colourOf, fewLook, incompleteLook, paleBox } from './marks.ts';
import { captionOf, fewLabel } from './incompleteWords.ts';
import type { Palette } from './palette.ts';
import { dashOf, hasFew, inLegend, visibleLayers, type Layer } from './plot.ts';
import { plotShapes, type PlotScene } from './plotShapes.ts';
import { boxTrace, stroked, lineTrace, type Shape, type TextLook, type Trace, filled, textShape } from './scene.ts';

/** The content of a saved picture. Sizes are CSS pixels. */
export interface PictureParts extends PlotScene {
  readonly window: TimeRange;
  readonly title: string;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
  readonly width: number;
  readonly height: number;
}

const margin = 12;
const titleSize = 14;
const titleLine = 20;
const textSize = 11;
const line = 18;
const smallSize = 10;
const smallLine = 14;
const swatch = 20;

/** Names the source and the dates of the data, since a picture may be viewed without its context. */
export function pictureCaption({ origin, words, window }: Pick<PictureParts, 'origin' | 'words' | 'window'>): string {
  const { connection = '', mark = '' } = origin ?? {};
  return [mark, connection, words.dates(window)].filter(Boolean).join(' · ');
}

/** Draws the whole picture: title, source, legend, plot with axes, and the chart's caption. */
export function pictureShapes(parts: PictureParts): Shape[] {
  const { plot, palette, window, words, width, height, title, measure } = parts;
  // Bold letters are wider than the measured regular ones.
  const headings = wrapped(title, width - 2 * margin, measure, titleSize + 1);
  const captionTop = margin + (title ? headings.length * titleLine + 4 : 0);
  const about = wrapped(captionOf(plot, words), width - 2 * margin, measure, smallSize);
  const aboutTop = height - margin / 2 - about.length * smallLine;
  const legend = legendShapes(parts, captionTop + line + 2);
  const area = { x: margin, y: legend.bottom, width: width - 2 * margin, height: aboutTop - legend.bottom };
  const drawn = plotShapes(parts, window, { area, width, isLow: false, ratio: 1 });
  const text = (said: string, y: number, more?: Partial<TextLook>): Shape =>
    textShape(said, margin, y, { colour: palette.muted, size: textSize, anchor: 'start', ...more });
  const headingLook = { size: titleSize, bold: true, colour: palette.foreground };
  const isSample = (parts.origin?.mark ?? '') !== '';
  const captionLook = { bold: isSample, ...(isSample && { colour: palette.foreground }) };
  const caption = text(pictureCaption(parts), captionTop + line / 2, captionLook);
  return [
    ...headings.map((words, at) => text(words, margin + 8 + at * titleLine, headingLook)),
    caption,
    ...legend.shapes,
    ...drawn.shapes,
    stroked(boxTrace(drawn.frame.box), palette.muted),
    ...about.map((sentence, at) => text(sentence, aboutTop + (at + 0.5) * smallLine, { size: smallSize })),
  ];
}

/** Wraps a text to lines that are at most `room` wide. */
function wrapped(text: string, room: number, measure: PictureParts['measure'], size = textSize): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length > 0 ? `${lines.at(-1) ?? ''} ${word}` : word;
    if (lines.length > 0 && measure(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Draws the legend in rows from the top, and returns where it ends. */
function legendShapes(parts: PictureParts, top: number): { readonly shapes: Shape[]; readonly bottom: number } {
  const { plot, palette, width } = parts;
  const shapes: Shape[] = [];
  let x = margin;
  let y = top + line / 2;
  const add = (label: string, swatchAt: (x: number, y: number) => Shape): void => {
    const wide = swatch + 6 + parts.measure(label, textSize) + 16;
    if (x > margin && x + wide > width - margin) {
      x = margin;
      y += line;
    }
    shapes.push(swatchAt(x, y));
    const look = { colour: palette.foreground, size: textSize, anchor: 'start' } as const;
    shapes.push(textShape(label, x + swatch + 6, y, look));
    x += wide;
  };
  for (const layer of inLegend(visibleLayers(plot)))
    add(labelWithUnit(layer), (x, y) => swatchShape(layer, palette, x, y));
  const [first] = plot.layers;
  if (first && plot.total) add(labelWithUnit({ ...first, label: plot.total }), (x, y) => sumShape(palette, x, y));
  if (plot.incomplete.length > 0)
    add(t('Incomplete'), (x, y) => ({ kind: 'path', trace: swatchBox(x, y), ...incompleteLook(palette) }));
  if (hasFew(plot)) add(fewLabel(), (x, y) => fewShape(palette, x, y));
  return { shapes, bottom: y + line / 2 };
}

/** Draws the legend's swatch for the marks of too few hours. */
export function fewShape(palette: Palette, x: number, y: number): Shape {
  return { kind: 'path', trace: swatchBox(x, y), ...fewLook(palette) };
}

function swatchBox(x: number, y: number): Trace {
  return boxTrace({ x, y: y - 5, width: swatch, height: 10 });
}

/** Draws the legend's sign for the total of the areas. */
export function sumShape({ foreground }: Palette, x: number, y: number): Shape {
  const look = { colour: foreground, size: 13, anchor: 'middle' } as const;
  return textShape('Σ', x + swatch / 2, y, look);
}

/** Draws the legend's swatch of a layer in its style. */
export function swatchShape(layer: Layer, palette: Palette, x: number, y: number): Shape {
  const colour = colourOf(layer.style, palette);
  if (layer.kind === 'line')
    return stroked(lineTrace(x, y, x + swatch, y), colour, Math.max(2, layer.style.width), dashOf(layer.style));
  if (layer.kind === 'cells') {
    const colours = layer.style.colour === 'bands' ? palette.bands : palette.scale;
    const wide = swatch / colours.length;
    const shapes = colours.map((fill, at) =>
      filled(boxTrace({ x: x + at * wide, y: y - 5, width: wide + 0.3, height: 10 }), fill),
    );
    return { kind: 'clip', box: { x, y: y - 5, width: swatch, height: 10 }, shapes };
  }
  if (layer.style.isPale) return paleBox(swatchBox(x, y), colour);
  const outline = layer.style.colour === 'hatched' && { stroke: { colour, width: 1, dash: [] } };
  const fill = layer.kind === 'area' ? areaFill(layer.style, palette) : { colour, opacity: 1 };
  return { kind: 'path', trace: swatchBox(x, y), fill, ...outline };
}
