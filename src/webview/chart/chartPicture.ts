import { buildPlot } from '../../presentation/chart/buildPlot.ts';
import { noticeOf } from '../../presentation/chart/chartSentences.ts';
import { pictureCaption, pictureShapes, type PictureParts } from '../../presentation/chart/picture.ts';
import { emptied, paint, ruler } from './paint.ts';
import { paperPalette } from '../../presentation/chart/palette.ts';
import { fitted } from '../../presentation/chart/plotMove.ts';
import { summaryOf } from '../../presentation/chart/summary.ts';
import { svgOf } from '../../presentation/chart/svg.ts';
import { t } from '@vscode/l10n';
import type { ChartHost, ChartModel, ChartOptions } from '../../presentation/chart/chartModel.ts';
import { PlotWords } from '../../presentation/chart/words.ts';
import type { ReportSection } from '../../shared/report.ts';

/** What a saved picture shows; `summary` describes it to those who do not see it. */
export interface SavedPicture extends PictureParts {
  readonly summary: string;
}

const leastWidth = 720;
const leastHeight = 420;

/** The chart as it is shown, described, and no smaller than its legend and axes need. */
export function savedPicture(shown: Omit<SavedPicture, 'summary'>): SavedPicture {
  return {
    ...shown,
    width: Math.max(leastWidth, shown.width),
    height: Math.max(leastHeight, shown.height),
    summary: [...summaryOf(shown.plot, shown.words, shown.window), pictureCaption(shown)].join('\n'),
  };
}

/** The picture as an SVG document, on the background of the editor. */
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

/** The picture as a PNG of `scale` pixels to a CSS pixel. Throws where the browser cannot make one that large. */
export function picturePng(picture: SavedPicture, scale: number): Blob {
  const canvas = document.createElement('canvas');
  const context = emptied(canvas, picture.width, picture.height, scale);
  context.fillStyle = picture.palette.background;
  context.fillRect(0, 0, picture.width, picture.height);
  paint(context, pictureShapes(picture), picture.font);
  // Not as a blob: Chromium encodes those when it is idle, which on a busy page takes many seconds.
  const address = canvas.toDataURL('image/png');
  const head = 'data:image/png;base64,';
  if (!address.startsWith(head)) throw new Error('A picture of this size cannot be made.');
  return new Blob([Uint8Array.from(atob(address.slice(head.length)), letter => letter.charCodeAt(0))], {
    type: 'image/png',
  });
}

const paperFont = 'Arial, Helvetica, sans-serif';
/** CSS pixels. */
const paperWidth = 1080;

/** The chart as it is set, for a report; undefined where there is nothing to draw. */
export function paperPicture(model: ChartModel, options: ChartOptions): ReportSection['chart'] {
  const plot = buildPlot(model, options);
  if (!plot) return undefined;
  const words = new PlotWords(plot, model.locale);
  const theme = { palette: paperPalette(), font: paperFont, measure: ruler(paperFont) };
  const window = options.zoom ? fitted(options.zoom, plot) : plot.domain;
  const size = { width: paperWidth, height: leastHeight };
  const { title = '', origin } = model;
  const picture = savedPicture({ plot, words, ...theme, window, title, origin, ...size });
  return { svg: pictureSvg(picture), summary: picture.summary, notice: noticeOf(plot, words, model.compared) ?? '' };
}

const pictureScale = 2;

/** The chart as it is shown, as a picture: to keep as a file, or in the clipboard. */
export class ChartPictures {
  readonly #host: ChartHost;
  readonly #shown: () => SavedPicture;

  /** `shown` throws where there is no chart. */
  constructor(host: ChartHost, shown: () => SavedPicture) {
    this.#host = host;
    this.#shown = shown;
  }

  /** As PNG with so many pixels to a CSS pixel. */
  toPng(scale: number): Promise<Blob> {
    return new Promise(resolve => resolve(picturePng(this.#shown(), scale)));
  }

  /** As an SVG document. */
  toSvg(): string {
    return pictureSvg(this.#shown());
  }

  /** Puts it into the clipboard. */
  copy(): void {
    this.#attempt(async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.toPng(pictureScale) })]);
      this.#host.announce(t('Copied the chart as a picture.'));
    });
  }

  /** Gives it to the host to keep. */
  save(format: 'png' | 'svg'): void {
    this.#attempt(async () => {
      const picture =
        format === 'svg'
          ? ({ format, text: this.toSvg() } as const)
          : ({ format, blob: await this.toPng(pictureScale) } as const);
      this.#host.save(picture);
    });
  }

  #attempt(act: () => Promise<void>): void {
    act().catch((thrown: unknown) => this.#host.failed(thrown));
  }
}
