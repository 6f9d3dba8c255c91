import { t } from '@vscode/l10n';
import type { ChartHost } from '../../presentation/chart/chartModel.ts';
import { pictureShapes } from '../../presentation/chart/picture.ts';
import { pictureSvg, type SavedPicture } from '../../presentation/chart/savedPicture.ts';
import { emptied, paint } from './paint.ts';

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
