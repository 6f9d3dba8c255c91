import { t } from '@vscode/l10n';
import type { ChartHost } from './chartModel.ts';
import { picturePng, pictureSvg, type SavedPicture } from './chartPicture.ts';

const pictureScale = 2;

/** The chart as it is shown, as a picture: to keep as a file, or in the clipboard. */
export class ChartPictures {
  private readonly host: ChartHost;
  private readonly shown: () => SavedPicture;

  /** `shown` throws where there is no chart. */
  constructor(host: ChartHost, shown: () => SavedPicture) {
    this.host = host;
    this.shown = shown;
  }

  /** As PNG with so many pixels to a CSS pixel. */
  toPng(scale: number): Promise<Blob> {
    return new Promise(resolve => resolve(picturePng(this.shown(), scale)));
  }

  /** As an SVG document. */
  toSvg(): string {
    return pictureSvg(this.shown());
  }

  /** Puts it into the clipboard. */
  copy(): void {
    this.attempt(async () => {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.toPng(pictureScale) })]);
      this.host.announce(t('Copied the chart as a picture.'));
    });
  }

  /** Gives it to the host to keep. */
  save(format: 'png' | 'svg'): void {
    this.attempt(async () => {
      const picture =
        format === 'svg'
          ? ({ format, text: this.toSvg() } as const)
          : ({ format, blob: await this.toPng(pictureScale) } as const);
      this.host.save?.(picture);
    });
  }

  private attempt(act: () => Promise<void>): void {
    act().catch((thrown: unknown) => this.host.failed(thrown));
  }
}
