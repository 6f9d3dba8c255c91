import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../../src/shared/protocol.ts';
import { parseChartOptions } from '../../../src/presentation/chart/chartOptions.ts';
import type { ChartOptions, TimeWindow } from '../../../src/presentation/chart/chartModel.ts';
import { ChartView } from '../../../src/webview/chart/chartView.ts';
import { chartFrames, getIntervalMs, type ChartFrameName } from './chartFrames.ts';

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const frameDrawn = () => new Promise(requestAnimationFrame);
const task = () => new Promise(resolve => setTimeout(resolve));

async function drawn(): Promise<void> {
  await frameDrawn();
  await task();
}

export interface ChartShown {
  readonly frame: ChartFrameName;
  readonly options?: Partial<ChartOptions>;
  readonly zone?: DisplayZone;
  readonly compared?: readonly (readonly [string, string])[];
  readonly title?: string;
  readonly origin?: Omit<RowOrigin, 'dates'>;
  readonly locale?: string;
}

/** Mounts the chart alone. */
export function mountChart(container: Element, errors: string[]) {
  const announced: string[] = [];
  const optionsSeen: ChartOptions[] = [];
  const zooms: (TimeWindow | null)[] = [];
  const saved: string[] = [];
  const preparedFrames = new Map<ChartFrameName, Frame>();
  const view = new ChartView({
    onOptionsChanged: options => optionsSeen.push(options),
    onZoomed: range => zooms.push(range ?? null),
    announce: text => announced.push(text),
    onError: error => errors.push(String(error)),
    save: picture => saved.push(picture.format),
    onPointed: () => undefined,
    select: () => undefined,
    showTable: () => undefined,
  });
  container.replaceChildren(view.element);
  return {
    /** Creates a frame in advance, so that a measurement of `show` covers only the drawing. */
    make: (name: ChartFrameName) => void preparedFrames.set(name, chartFrames[name]()),
    /** Shows a frame, and resolves once it is drawn. */
    async show({
      frame: name,
      options,
      zone = sast,
      compared,
      title = 'System state',
      origin,
      locale = 'en',
    }: ChartShown) {
      const frame = preparedFrames.get(name) ?? chartFrames[name]();
      const model = {
        frame,
        locale,
        zone,
        intervalMs: getIntervalMs(name),
        compared,
        title,
        origin,
        minCoverage: 0.75,
      };
      view.show(model, { ...parseChartOptions(undefined, frame), ...options });
      await drawn();
    },
    async setZone(zone: DisplayZone) {
      view.setZone(zone);
      await drawn();
    },
    themeChanged: () => view.themeChanged(),
    /** Zooms in and out by keys, and waits for a frame after each one. */
    async zoomByKeys(times: number) {
      const plot = document.querySelector('.chart-plot');
      for (let index = 0; index < times; index++) {
        const key = index % 10 < 5 ? '+' : '-';
        plot?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        await drawn();
      }
    },
    svg: () => view.pictures.toSvg(),
    /** Whether the SVG is valid XML without scripts. */
    svgIsSound() {
      const picture = new DOMParser().parseFromString(view.pictures.toSvg(), 'image/svg+xml');
      return picture.documentElement.localName === 'svg' && !picture.querySelector('parsererror, script');
    },
    async png(scale: number) {
      const blob = await view.pictures.toPng(scale);
      const { width, height } = await createImageBitmap(blob);
      return { width, height };
    },
    announced: () => announced,
    options: () => optionsSeen,
    zooms: () => zooms,
    saved: () => saved,
    /** Type and size of the first item in the clipboard. */
    async clipboard(): Promise<readonly [type: string, size: number]> {
      const [item] = await navigator.clipboard.read();
      const type = item?.types[0] ?? '';
      return [type, (await item?.getType(type))?.size ?? 0];
    },
    /** Counts the colors of the plot's canvas. */
    colors() {
      const canvas = document.querySelector<HTMLCanvasElement>('.chart-plot canvas');
      const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
    },
    /** For each swatch of the legend, the number of pixels in the editor's background color, and whether any pixel is not gray. */
    swatches: () =>
      Array.from(document.querySelectorAll<HTMLCanvasElement>('.chart-legend canvas'), canvas => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const pixels = Array.from({ length: data.length / 4 }, (_, index) =>
          Array.from(data.slice(index * 4, index * 4 + 4)),
        );
        const background = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background');
        const hex = ([r = 0, g = 0, b = 0]: number[]) =>
          `#${[r, g, b].map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
        return {
          bare: pixels.filter(pixel => pixel[3] === 255 && hex(pixel) === background).length,
          colored: pixels.some(([r = 0, g = 0, b = 0, a = 0]) => a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 24),
        };
      }),
  };
}
