import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { startCannedService } from '../support/cannedService.ts';

interface Served {
  readonly body: string | Buffer;
  readonly type: string;
}

const folders: Readonly<Record<string, string>> = {
  media: join(root, 'media'),
  codicons: join(root, 'node_modules/@vscode/codicons/dist'),
  fonts: join(root, 'node_modules/@fontsource/dejavu-sans/files'),
};
const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.ttf': 'font/ttf', '.woff2': 'font/woff2' };

let started: Promise<PageServer> | undefined;

/**
 * Serves pages on loopback. The browser caches all but the documents, and with a script what it compiled of it, which it does
 * only for what comes from a server: not for what a test answers through Playwright's `route`.
 */
export class PageServer {
  origin = '';
  readonly #documents: string[] = [];
  /** By content. */
  readonly #cached = new Map<string, Served & { readonly path: string }>();

  /** The one server of this process; it ends with the process. */
  static shared(): Promise<PageServer> {
    started ??= new PageServer().#start();
    return started;
  }

  /** The address of a document, which is used for it alone. */
  addDocument(html: string): string {
    return `${this.origin}/documents/${this.#documents.push(html) - 1}`;
  }

  /** The address of a script or a stylesheet; the same for the same text. */
  addCached(body: string, type: 'text/javascript' | 'text/css'): string {
    const path = this.#cached.get(body)?.path ?? `/cached/${this.#cached.size}`;
    this.#cached.set(body, { path, body, type });
    return this.origin + path;
  }

  async #start(): Promise<this> {
    const { baseUrl } = await startCannedService(({ path }, response) => {
      const [, kind = '', name = ''] = path.split('/');
      const isDocument = kind === 'documents';
      const served = isDocument ? this.#document(name) : (this.#cachedAt(path) ?? readFrom(folders[kind], name));
      response.writeHead(served ? 200 : 404, {
        'Content-Type': served?.type ?? 'text/plain',
        'Cache-Control': isDocument ? 'no-store' : 'max-age=86400, immutable',
      });
      response.end(served?.body);
    });
    this.origin = baseUrl;
    return this;
  }

  #document(name: string): Served | undefined {
    const body = this.#documents[Number(name)];
    return body === undefined ? undefined : { body, type: 'text/html' };
  }

  #cachedAt(path: string): Served | undefined {
    return [...this.#cached.values()].find(served => served.path === path);
  }
}

function readFrom(folder: string | undefined, name: string): Served | undefined {
  if (folder === undefined) return undefined;
  try {
    return { body: readFileSync(join(folder, name)), type: types[extname(name)] ?? 'text/plain' };
  } catch {
    return undefined;
  }
}
