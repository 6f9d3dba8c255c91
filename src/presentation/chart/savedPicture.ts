import type { ReportSection } from '../../shared/report.ts';
import { buildPlot } from './buildPlot.ts';
import type { ChartModel, ChartOptions } from './chartModel.ts';
import { noticeOf } from './chartSentences.ts';
import { paperPalette } from './palette.ts';
import { pictureCaption, pictureShapes, type PictureParts } from './picture.ts';
import { fitted } from './plotMove.ts';
import { summaryOf } from './summary.ts';
import { svgOf } from './svg.ts';
import { paperFont, widthOnPaper } from './paperFont.ts';
import { PlotWords } from './words.ts';

/** A picture to save. `summary` describes it for people who cannot see it. */
export interface SavedPicture extends PictureParts {
  readonly summary: string;
}

const leastWidth = 720;
const leastHeight = 420;

/** Creates a picture of the displayed chart with a description. It is at least large enough for legend and axes. */
export function savedPicture(shown: Omit<SavedPicture, 'summary'>): SavedPicture {
  return {
    ...shown,
    width: Math.max(leastWidth, shown.width),
    height: Math.max(leastHeight, shown.height),
    summary: [...summaryOf(shown.plot, shown.words, shown.window), pictureCaption(shown)].join('\n'),
  };
}

/** Serializes the picture as an SVG document with the editor's background. */
export function pictureSvg(picture: SavedPicture): string {
  const { title, summary, width, height, palette, font } = picture;
  return svgOf(pictureShapes(picture), {
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
export function paperPicture(model: ChartModel, options: ChartOptions): ReportSection['chart'] {
  const plot = buildPlot(model, options);
  if (!plot) return undefined;
  const words = new PlotWords(plot, model.locale);
  const theme = { palette: paperPalette(), font: paperFont, measure: widthOnPaper };
  const window = options.zoom ? fitted(options.zoom, plot) : plot.domain;
  const size = { width: paperWidth, height: leastHeight };
  const { origin } = model;
  const title = options.title ?? model.title ?? '';
  const picture = savedPicture({ plot, words, ...theme, window, title, origin, ...size });
  return { svg: pictureSvg(picture), summary: picture.summary, notice: noticeOf(plot, words, model.compared) ?? '' };
}
