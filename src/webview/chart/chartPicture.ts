import { t } from '@vscode/l10n';
import type { ChartHost } from '../../presentation/chart/chartModel.ts';
import { pictureShapes } from '../../presentation/chart/picture.ts';
import { pictureSvg, type SavedPicture } from '../../presentation/chart/savedPicture.ts';
import { emptied, paint } from './paint.ts';

/** Renders a picture as a PNG with `scale` pixels per CSS pixel. Throws if the browser cannot create a canvas that large. */
export function picturePng(picture: SavedPicture, scale: number): Blob {
  const canvas = document.createElement('canvas');
  const context = emptied(canvas, picture.width, picture.height, scale);
  context.fillStyle = picture.palette.background;
  context.fillRect(0, 0, picture.width, picture.height);
  paint(context, pictureShapes(picture), picture.font);
  // `toBlob` is not used, because Chromium encodes blobs when idle, which takes many seconds on a busy page.
  const address = canvas.toDataURL('image/png');
  const head = 'data:image/png;base64,';
  if (!address.startsWith(head)) throw new Error('The browser cannot create a picture of this size.');
  return new Blob([Uint8Array.from(atob(address.slice(head.length)), letter => letter.charCodeAt(0))], {
    type: 'image/png',
  });
}

const pictureScale = 2;

/** Copies and saves pictures of the chart as it is displayed. */
export class ChartPictures {
  readonly #host: ChartHost;
  readonly #shown: () => SavedPicture;

  /** `shown` returns the picture and throws if there is no chart. */
  constructor(host: ChartHost, shown: () => SavedPicture) {
    this.#host = host;
    this.#shown = shown;
  }

  /** Renders the chart as a PNG with `scale` pixels per CSS pixel. */
  toPng(scale: number): Promise<Blob> {
    return new Promise(resolve => resolve(picturePng(this.#shown(), scale)));
  }

  /** Renders the chart as an SVG document. */
  toSvg(): string {
    return pictureSvg(this.#shown());
  }

  /** Copies the chart to the clipboard as a PNG. */
  copy(): void {
    this.#attempt(async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.toPng(pictureScale) })]);
      this.#host.announce(t('Copied the chart as a picture.'));
    });
  }

  /** Passes the picture to the host, which saves it as a file. */
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
