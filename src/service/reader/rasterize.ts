import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Letters as wide as those of Arial, in which reports are set: Latin and Greek, and bold Latin. Other scripts have none in a picture. */
const fonts = ['latin-400', 'latin-600', 'greek-400'].map(name => `@fontsource/arimo/files/arimo-${name}-normal.woff2`);

/** What comes with a package: copied beside this file by the build. */
function partOf(path: string): Promise<Buffer> {
  const isBuilt = extname(import.meta.filename) === '.js';
  const name = path.split('/').at(-1) ?? path;
  return readFile(isBuilt ? join(import.meta.dirname, name) : createRequire(import.meta.filename).resolve(path));
}

let loaded: Promise<readonly Uint8Array[]> | undefined;

async function load(): Promise<readonly Uint8Array[]> {
  await initWasm(await partOf('@resvg/resvg-wasm/index_bg.wasm'));
  return Promise.all(fonts.map(partOf));
}

/** An SVG document as the bytes of a PNG, a pixel to a CSS pixel. It takes up to a second: for the reader, not for VS Code's own process. */
export async function rasterize(svg: string): Promise<Uint8Array> {
  const fontBuffers = [...(await (loaded ??= load()))];
  const made = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Arimo' } });
  return made.render().asPng();
}
