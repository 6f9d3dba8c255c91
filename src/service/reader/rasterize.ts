import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Fonts with the metrics of Arial, the font of reports: Latin, bold Latin and Greek. Other scripts are not drawn in a picture. */
const fonts = ['latin-400', 'latin-600', 'greek-400'].map(name => `@fontsource/arimo/files/arimo-${name}-normal.woff2`);

/** Reads a file of a package, which the build copies next to this file. */
function readPackageFile(path: string): Promise<Buffer> {
  const isBuilt = extname(import.meta.filename) === '.js';
  const name = path.split('/').at(-1) ?? path;
  return readFile(isBuilt ? join(import.meta.dirname, name) : createRequire(import.meta.filename).resolve(path));
}

let loading: Promise<readonly Uint8Array[]> | undefined;

async function loadFonts(): Promise<readonly Uint8Array[]> {
  await initWasm(await readPackageFile('@resvg/resvg-wasm/index_bg.wasm'));
  return Promise.all(fonts.map(readPackageFile));
}

/** Renders an SVG document as a PNG with one pixel per CSS pixel. It takes up to a second, so it runs in the reader process. */
export async function rasterize(svg: string): Promise<Uint8Array> {
  const fontBuffers = [...(await (loading ??= loadFonts()))];
  const image = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Arimo' } });
  return image.render().asPng();
}
