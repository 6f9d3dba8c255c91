import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** What a browser may ask for; nothing else is read. */
export const pageFiles = [
  'dashboard.css',
  'icon.svg',
  'main.js',
  'api.js',
  'board.js',
  'chart.js',
  'elements.js',
  'facts.js',
  'faultForm.js',
  'keyForms.js',
  'keyTable.js',
  'limitsDialog.js',
  'shownKeys.js',
  'termsForm.js',
] as const;

// The build copies the folder beside the bundle, which then stands in the place of this file.
const folder = join(import.meta.dirname, 'page');

export async function pageReply(name: (typeof pageFiles)[number] | 'index.html'): Promise<Response> {
  const ending = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
  const body = await readFile(join(folder, name));
  return new Response(body, {
    headers: { 'content-type': types[ending], 'content-length': String(body.byteLength) },
  });
}
