import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { startCannedService } from '../support/cannedService.ts';

interface ServedFile {
  readonly body: string | Buffer;
  readonly type: string;
}

const servedFolders: Readonly<Record<string, string>> = {
  media: join(root, 'media'),
  codicons: join(root, 'node_modules/@vscode/codicons/dist'),
  fonts: join(root, 'node_modules/@fontsource/dejavu-sans/files'),
};
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

let sharedServer: Promise<PageServer> | undefined;

/**
 * Serves pages on loopback. The browser caches everything except the documents. A server is needed, because the browser does not cache
 * compiled scripts of Playwright's `route`.
 */
export class PageServer {
  origin = '';
  readonly #documents: string[] = [];
  /** The cached files by content. */
  readonly #cachedFiles = new Map<string, ServedFile & { readonly path: string }>();

  /** Returns the server of this process, which runs until the process ends. */
  static shared(): Promise<PageServer> {
    sharedServer ??= new PageServer().#start();
    return sharedServer;
  }

  /** Returns the unique address of a new document. */
  addDocument(html: string): string {
    return `${this.origin}/documents/${this.#documents.push(html) - 1}`;
  }

  /** Returns the address of a script or stylesheet. It is the same for the same text. */
  addCached(body: string, type: 'text/javascript' | 'text/css'): string {
    const path = this.#cachedFiles.get(body)?.path ?? `/cached/${this.#cachedFiles.size}`;
    this.#cachedFiles.set(body, { path, body, type });
    return this.origin + path;
  }

  async #start(): Promise<this> {
    const { baseUrl } = await startCannedService(({ path }, response) => {
      const [, kind = '', name = ''] = path.split('/');
      const isDocument = kind === 'documents';
      const file = isDocument
        ? this.#getDocument(name)
        : (this.#findCachedFile(path) ?? readServedFile(servedFolders[kind], name));
      response.writeHead(file ? 200 : 404, {
        'Content-Type': file?.type ?? 'text/plain',
        'Cache-Control': isDocument ? 'no-store' : 'max-age=86400, immutable',
      });
      response.end(file?.body);
    });
    this.origin = baseUrl;
    return this;
  }

  #getDocument(name: string): ServedFile | undefined {
    const body = this.#documents[Number(name)];
    return body === undefined ? undefined : { body, type: 'text/html' };
  }

  #findCachedFile(path: string): ServedFile | undefined {
    return [...this.#cachedFiles.values()].find(file => file.path === path);
  }
}

function readServedFile(folder: string | undefined, name: string): ServedFile | undefined {
  if (folder === undefined) return undefined;
  try {
    return { body: readFileSync(join(folder, name)), type: contentTypes[extname(name)] ?? 'text/plain' };
  } catch {
    return undefined;
  }
}
