import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Clock } from '../../core/ports.ts';
import { codeOf, unlessGone, type ArchiveFs } from '../archive/archiveFs.ts';
import type { FolderLock } from '../archive/folderLock.ts';
import { replaceText } from '../archive/replaceText.ts';
import type { SharedText } from './storeProblem.ts';

const attempts = 5;
/** Several times what somebody has who keeps 2,000 queries for years. */
const mostBytes = 4_000_000;

/** A file that is changed under its folder's lock, and replaced by renaming: a write that breaks off leaves the old one. */
export class LockedText implements SharedText {
  readonly #path: string;
  readonly #fs: ArchiveFs;
  readonly #lock: Pick<FolderLock, 'hold'>;
  readonly #clock: Clock;

  constructor(deps: { path: string; fs: ArchiveFs; lock: Pick<FolderLock, 'hold'>; clock: Clock }) {
    this.#path = deps.path;
    this.#fs = deps.fs;
    this.#lock = deps.lock;
    this.#clock = deps.clock;
  }

  async read(): Promise<string | undefined> {
    const size = (await unlessGone(this.#fs.stat(this.#path)))?.size;
    if (size === undefined) return undefined;
    // Left as it is: who reads it says that it cannot be used.
    if (size > mostBytes) throw Object.assign(new Error('a file that is too large'), { code: 'EFBIG' });
    return unlessGone(this.#fs.readFile(this.#path, 'utf8'));
  }

  async change(update: (text: string | undefined) => Promise<string | undefined>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#lock.hold(dirname(this.#path), async stillOurs => {
          const next = await update(await this.read());
          if (next !== undefined) await this.#write(next, stillOurs);
        });
        return;
      } catch (error) {
        if (codeOf(error) !== 'ELOST' || attempt === attempts) throw error;
      }
    }
  }

  /** Named by what is in it, so that windows which find the same damage keep it once. */
  async keepAside(text: string): Promise<string> {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
    const path = `${this.#path.replace(/\.json$/, '')}.damaged-${hash}.json`;
    await this.#fs.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await this.#fs.writeFile(path, text, { mode: 0o600, flush: true });
    return path;
  }

  async #write(text: string, stillOurs: () => Promise<boolean>): Promise<void> {
    const folder = dirname(this.#path);
    const deps = { fs: this.#fs, clock: this.#clock };
    await replaceText(deps, { folder, name: basename(this.#path) }, text, stillOurs);
  }
}
