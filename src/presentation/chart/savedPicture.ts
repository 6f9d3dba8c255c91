import type { ReportSection } from '../../shared/report.ts';
import { buildPlot } from './buildPlot.ts';
import type { ChartModel, ChartOptions } from './chartModel.ts';
import { describeOmissions } from './chartSentences.ts';
import { createPaperPalette } from './palette.ts';
import { formatPictureCaption, createPictureShapes, type PictureContent } from './picture.ts';
import { fitToPlot } from './plotMove.ts';
import { describeChart } from './summary.ts';
import { serializeSvg } from './svg.ts';
import { paperFont, measurePaperText } from './paperFont.ts';
import { PlotFormatter } from './plotFormatter.ts';

/** A picture to save. `summary` is its alternative text. */
export interface SavedPicture extends PictureContent {
  readonly summary: string;
}

const minWidth = 720;
const minHeight = 420;

/** Creates a picture of the displayed chart with a description. It is at least large enough for legend and axes. */
export function createSavedPicture(content: Omit<SavedPicture, 'summary'>): SavedPicture {
  return {
    ...content,
    width: Math.max(minWidth, content.width),
    height: Math.max(minHeight, content.height),
    summary: [...describeChart(content.plot, content.formatter, content.window), formatPictureCaption(content)].join(
      '\n',
    ),
  };
}

/** Serializes the picture as an SVG document with the editor's background. */
export function serializePicture(picture: SavedPicture): string {
  const { title, summary, width, height, palette, font } = picture;
  return serializeSvg(createPictureShapes(picture), {
    title,
    description: summary,
    width,
    height,
    background: palette.background,
    font,
  });
}

/** CSS pixels. */
const paperWidth = 1080;

/** Creates the picture of a chart for a report; undefined if there is nothing to draw. */
export function createPaperPicture(model: ChartModel, options: ChartOptions): ReportSection['chart'] {
  const plot = buildPlot(model, options);
  if (!plot) return undefined;
  const formatter = new PlotFormatter(plot, model.locale);
  const theme = { palette: createPaperPalette(), font: paperFont, measureWidth: measurePaperText };
  const window = options.zoom ? fitToPlot(options.zoom, plot) : plot.domain;
  const size = { width: paperWidth, height: minHeight };
  const { origin } = model;
  const title = options.title ?? model.title ?? '';
  const picture = createSavedPicture({ plot, formatter, ...theme, window, title, origin, ...size });
  return {
    svg: serializePicture(picture),
    summary: picture.summary,
    notice: describeOmissions(plot, formatter, model.compared) ?? '',
  };
}
