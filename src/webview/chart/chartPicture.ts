import { t } from '@vscode/l10n';
import type { ChartHost } from '../../presentation/chart/chartModel.ts';
import { createPictureShapes } from '../../presentation/chart/picture.ts';
import { serializePicture, type SavedPicture } from '../../presentation/chart/savedPicture.ts';
import { clearCanvas, paint } from './paint.ts';

/** Renders a picture as a PNG with `scale` pixels per CSS pixel. Throws if the browser cannot create a canvas that large. */
export function renderPng(picture: SavedPicture, scale: number): Blob {
  const canvas = document.createElement('canvas');
  const context = clearCanvas(canvas, picture.width, picture.height, scale);
  context.fillStyle = picture.palette.background;
  context.fillRect(0, 0, picture.width, picture.height);
  paint(context, createPictureShapes(picture), picture.font);
  // `toBlob` is not used, because Chromium encodes blobs when idle, which takes many seconds on a busy page.
  const dataUrl = canvas.toDataURL('image/png');
  const prefix = 'data:image/png;base64,';
  if (!dataUrl.startsWith(prefix)) throw new Error('The browser cannot create a picture of this size.');
  return new Blob([Uint8Array.from(atob(dataUrl.slice(prefix.length)), character => character.charCodeAt(0))], {
    type: 'image/png',
  });
}

const pictureScale = 2;

/** Copies and saves pictures of the chart as it is displayed. */
export class ChartPictureExporter {
  readonly #host: ChartHost;
  readonly #getPicture: () => SavedPicture;

  /** `getPicture` returns the displayed picture and throws if there is no chart. */
  constructor(host: ChartHost, getPicture: () => SavedPicture) {
    this.#host = host;
    this.#getPicture = getPicture;
  }

  /** Renders the chart as a PNG with `scale` pixels per CSS pixel. */
  toPng(scale: number): Promise<Blob> {
    return new Promise(resolve => resolve(renderPng(this.#getPicture(), scale)));
  }

  /** Renders the chart as an SVG document. */
  toSvg(): string {
    return serializePicture(this.#getPicture());
  }

  /** Copies the chart to the clipboard as a PNG. */
  copy(): void {
    this.#reportErrors(async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.toPng(pictureScale) })]);
      this.#host.announce(t('Copied the chart as a picture.'));
    });
  }

  /** Passes the picture to the host, which saves it as a file. */
  save(format: 'png' | 'svg'): void {
    this.#reportErrors(async () => {
      const picture =
        format === 'svg'
          ? ({ format, text: this.toSvg() } as const)
          : ({ format, blob: await this.toPng(pictureScale) } as const);
      this.#host.save(picture);
    });
  }

  #reportErrors(act: () => Promise<void>): void {
    act().catch((error: unknown) => this.#host.onError(error));
  }
}
