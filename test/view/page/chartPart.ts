import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone, RowOrigin } from '../../../src/shared/protocol.ts';
import { readChartOptions } from '../../../src/presentation/chart/chartOptions.ts';
import type { ChartOptions, TimeRange } from '../../../src/presentation/chart/chartModel.ts';
import { ChartView } from '../../../src/webview/chart/chartView.ts';
import { chartFrames, stepOf, type ChartFrameName } from './chartFrames.ts';

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const frameDrawn = () => new Promise(requestAnimationFrame);
const task = () => new Promise(resolve => setTimeout(resolve));

async function drawn(): Promise<void> {
  await frameDrawn();
  await task();
}

/** How a frame is shown. */
export interface ChartShown {
  readonly frame: ChartFrameName;
  readonly options?: Partial<ChartOptions>;
  readonly zone?: DisplayZone;
  readonly compared?: readonly (readonly [string, string])[];
  readonly title?: string;
  readonly origin?: Omit<RowOrigin, 'dates'>;
  readonly locale?: string;
}

/** The chart alone. */
export function mountChart(place: Element, troubles: string[]) {
  const announced: string[] = [];
  const optionsSeen: ChartOptions[] = [];
  const zooms: (TimeRange | null)[] = [];
  const saved: string[] = [];
  const made = new Map<ChartFrameName, Frame>();
  const view = new ChartView({
    optionsChanged: options => optionsSeen.push(options),
    zoomed: range => zooms.push(range ?? null),
    announce: text => announced.push(text),
    failed: error => troubles.push(String(error)),
    save: picture => saved.push(picture.format),
    pointed: () => undefined,
    select: () => undefined,
    tabulate: () => undefined,
  });
  place.replaceChildren(view.element);
  return {
    /** Makes the frame that the next `show` of it draws, so that a measurement of that is of the drawing alone. */
    make: (name: ChartFrameName) => void made.set(name, chartFrames[name]()),
    /** Until the first frame was drawn. */
    async show({
      frame: name,
      options,
      zone = sast,
      compared,
      title = 'System state',
      origin,
      locale = 'en',
    }: ChartShown) {
      const frame = made.get(name) ?? chartFrames[name]();
      const model = { frame, locale, zone, step: stepOf(name), compared, title, origin, leastCoverage: 0.75 };
      view.show(model, { ...readChartOptions(undefined, frame), ...options });
      await drawn();
    },
    async setZone(zone: DisplayZone) {
      view.setZone(zone);
      await drawn();
    },
    themeChanged: () => view.themeChanged(),
    /** Zooms in and out by keys, so many times, each drawn. */
    async zoomByKeys(times: number) {
      const plot = document.querySelector('.chart-plot');
      for (let index = 0; index < times; index++) {
        const key = index % 10 < 5 ? '+' : '-';
        plot?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        await drawn();
      }
    },
    svg: () => view.pictures.toSvg(),
    /** Whether the picture is XML without a script. */
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
    /** Type and size of the first thing in the clipboard. */
    async clipboard(): Promise<readonly [type: string, size: number]> {
      const [item] = await navigator.clipboard.read();
      const type = item?.types[0] ?? '';
      return [type, (await item?.getType(type))?.size ?? 0];
    },
    /** How many different colours the plot's canvas has. */
    colours() {
      const canvas = document.querySelector<HTMLCanvasElement>('.chart-plot canvas');
      const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
    },
    /** Of each swatch of the legend: how many pixels are of the editor's background, and whether any has a colour that is no grey. */
    swatches: () =>
      Array.from(document.querySelectorAll<HTMLCanvasElement>('.chart-legend canvas'), canvas => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const pixels = Array.from({ length: data.length / 4 }, (_, at) => Array.from(data.slice(at * 4, at * 4 + 4)));
        const background = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background');
        const hex = ([r = 0, g = 0, b = 0]: number[]) =>
          `#${[r, g, b].map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
        return {
          bare: pixels.filter(pixel => pixel[3] === 255 && hex(pixel) === background).length,
          coloured: pixels.some(
            ([r = 0, g = 0, b = 0, a = 0]) => a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 24,
          ),
        };
      }),
  };
}
