import type { PictureEyesApi } from './pictureEyesApi.ts';

/** A channel of a pixel may differ by that much: less is how a curve was rounded, not what it shows. */
const tolerance = 40;

async function pixelsOf(address: string): Promise<ImageData> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { context } = drawing(image.width, image.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}

function drawing(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The page draws no pictures.');
  return { canvas, context };
}

const eyes: PictureEyesApi = {
  async compare(kept, now) {
    const [before, after] = [await pixelsOf(kept), await pixelsOf(now)];
    const { width, height } = after;
    if (before.width !== width || before.height !== height) return { pixels: width * height, marked: now };
    let pixels = 0;
    for (let at = 0; at < after.data.length; at += 4) {
      const isOther = [0, 1, 2].some(
        channel => Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)) > tolerance,
      );
      if (isOther) after.data.set([255, 0, 0, 255], at);
      else after.data[at + 3] = 80;
      pixels += Number(isOther);
    }
    const { canvas, context } = drawing(width, height);
    context.putImageData(after, 0, 0);
    return { pixels, marked: canvas.toDataURL() };
  },
};
Object.assign(window, { pictureEyes: eyes });
