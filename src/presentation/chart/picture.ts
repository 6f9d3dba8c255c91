import { t } from '@vscode/l10n';
import type { RowOrigin } from '../../shared/protocol.ts';
import { labelWithUnit } from '../columns/columnHeader.ts';
import type { TimeWindow } from './chartModel.ts';
import { createAreaFill, getLayerColor, createFewHoursStyle, createIncompleteStyle, createPaleBox } from './marks.ts';
import { formatCaption, getFewHoursLabel } from './incompleteMessages.ts';
import type { Palette } from './palette.ts';
import { getDash, hasFewHours, sortForLegend, listVisibleLayers, type Layer } from './plot.ts';
import { createPlotShapes, type PlotScene } from './plotShapes.ts';
import {
  boxTrace,
  createStrokedPath,
  lineTrace,
  type Shape,
  type TextStyle,
  type Trace,
  createFilledPath,
  createText,
} from './scene.ts';

/** The content of a saved picture. Sizes are CSS pixels. */
export interface PictureContent extends PlotScene {
  readonly window: TimeWindow;
  readonly title: string;
  readonly origin?: Omit<RowOrigin, 'dates'> | undefined;
  readonly width: number;
  readonly height: number;
}

const margin = 12;
const titleSize = 14;
const titleLineHeight = 20;
const textSize = 11;
const lineHeight = 18;
const smallSize = 10;
const smallLineHeight = 14;
const swatchWidth = 20;

/** Names the source and the dates of the data, since a picture may be viewed without its context. */
export function formatPictureCaption({
  origin,
  formatter,
  window,
}: Pick<PictureContent, 'origin' | 'formatter' | 'window'>): string {
  const { connection = '', mark = '' } = origin ?? {};
  return [mark, connection, formatter.formatDates(window)].filter(Boolean).join(' · ');
}

/** Draws the whole picture: title, source, legend, plot with axes, and the chart's caption. */
export function createPictureShapes(content: PictureContent): Shape[] {
  const { plot, palette, window, formatter, width, height, title, measureWidth } = content;
  // Bold letters are wider than the measured regular ones.
  const headings = wrapText(title, width - 2 * margin, measureWidth, titleSize + 1);
  const captionTop = margin + (title ? headings.length * titleLineHeight + 4 : 0);
  const captionLines = wrapText(formatCaption(plot, formatter), width - 2 * margin, measureWidth, smallSize);
  const captionLinesTop = height - margin / 2 - captionLines.length * smallLineHeight;
  const legend = createLegendShapes(content, captionTop + lineHeight + 2);
  const area = { x: margin, y: legend.bottom, width: width - 2 * margin, height: captionLinesTop - legend.bottom };
  const plotPart = createPlotShapes(content, window, { area, width, isCompact: false, pixelRatio: 1 });
  const createLine = (text: string, y: number, extraStyle?: Partial<TextStyle>): Shape =>
    createText(text, margin, y, { color: palette.muted, size: textSize, anchor: 'start', ...extraStyle });
  const headingStyle = { size: titleSize, bold: true, color: palette.foreground };
  const isSample = (content.origin?.mark ?? '') !== '';
  const captionStyle = { bold: isSample, ...(isSample && { color: palette.foreground }) };
  const caption = createLine(formatPictureCaption(content), captionTop + lineHeight / 2, captionStyle);
  return [
    ...headings.map((heading, index) => createLine(heading, margin + 8 + index * titleLineHeight, headingStyle)),
    caption,
    ...legend.shapes,
    ...plotPart.shapes,
    createStrokedPath(boxTrace(plotPart.frame.box), palette.muted),
    ...captionLines.map((sentence, index) =>
      createLine(sentence, captionLinesTop + (index + 0.5) * smallLineHeight, { size: smallSize }),
    ),
  ];
}

/** Wraps a text to lines that are at most `maxWidth` wide. */
function wrapText(text: string, maxWidth: number, measure: PictureContent['measureWidth'], size = textSize): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length > 0 ? `${lines.at(-1) ?? ''} ${word}` : word;
    if (lines.length > 0 && measure(longer, size) <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Draws the legend in rows from the top, and returns where it ends. */
function createLegendShapes(
  content: PictureContent,
  top: number,
): { readonly shapes: Shape[]; readonly bottom: number } {
  const { plot, palette, width } = content;
  const shapes: Shape[] = [];
  let x = margin;
  let y = top + lineHeight / 2;
  const addEntry = (label: string, createSwatchAt: (x: number, y: number) => Shape): void => {
    const entryWidth = swatchWidth + 6 + content.measureWidth(label, textSize) + 16;
    if (x > margin && x + entryWidth > width - margin) {
      x = margin;
      y += lineHeight;
    }
    shapes.push(createSwatchAt(x, y));
    const style = { color: palette.foreground, size: textSize, anchor: 'start' } as const;
    shapes.push(createText(label, x + swatchWidth + 6, y, style));
    x += entryWidth;
  };
  for (const layer of sortForLegend(listVisibleLayers(plot)))
    addEntry(labelWithUnit(layer), (x, y) => createSwatch(layer, palette, x, y));
  const [first] = plot.layers;
  if (first && plot.totalLabel)
    addEntry(labelWithUnit({ ...first, label: plot.totalLabel }), (x, y) => createSumSign(palette, x, y));
  if (plot.incomplete.length > 0)
    addEntry(t('Incomplete'), (x, y) => ({
      kind: 'path',
      trace: traceSwatch(x, y),
      ...createIncompleteStyle(palette),
    }));
  if (hasFewHours(plot)) addEntry(getFewHoursLabel(), (x, y) => createFewHoursSwatch(palette, x, y));
  return { shapes, bottom: y + lineHeight / 2 };
}

/** Draws the legend's swatch for the marks of too few hours. */
export function createFewHoursSwatch(palette: Palette, x: number, y: number): Shape {
  return { kind: 'path', trace: traceSwatch(x, y), ...createFewHoursStyle(palette) };
}

function traceSwatch(x: number, y: number): Trace {
  return boxTrace({ x, y: y - 5, width: swatchWidth, height: 10 });
}

/** Draws the legend's sign for the total of the areas. */
export function createSumSign({ foreground }: Palette, x: number, y: number): Shape {
  const style = { color: foreground, size: 13, anchor: 'middle' } as const;
  return createText('Σ', x + swatchWidth / 2, y, style);
}

/** Draws the legend's swatch of a layer in its style. */
export function createSwatch(layer: Layer, palette: Palette, x: number, y: number): Shape {
  const color = getLayerColor(layer.style, palette);
  if (layer.kind === 'line')
    return createStrokedPath(
      lineTrace(x, y, x + swatchWidth, y),
      color,
      Math.max(2, layer.style.width),
      getDash(layer.style),
    );
  if (layer.kind === 'cells') {
    const colors = layer.style.color === 'bands' ? palette.bands : palette.scale;
    const colorWidth = swatchWidth / colors.length;
    const shapes = colors.map((fill, index) =>
      createFilledPath(boxTrace({ x: x + index * colorWidth, y: y - 5, width: colorWidth + 0.3, height: 10 }), fill),
    );
    return { kind: 'clip', box: { x, y: y - 5, width: swatchWidth, height: 10 }, shapes };
  }
  if (layer.style.isPale) return createPaleBox(traceSwatch(x, y), color);
  const outline = layer.style.color === 'hatched' && { stroke: { color, width: 1, dash: [] } };
  const fill = layer.kind === 'area' ? createAreaFill(layer.style, palette) : { color, opacity: 1 };
  return { kind: 'path', trace: traceSwatch(x, y), fill, ...outline };
}
