import * as syncFs from 'node:fs';
import type { Stats } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeyFs } from '../../src/sandbox/keys/openKeyStore.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import { seeded } from './seeded.ts';

type WindowsFs = StorageFs & Pick<typeof nodeFs, 'chmod' | 'lstat' | 'realpath'>;

/** Where suites run: each as its name says. `fs` is that of one machine, which its windows share. */
export const systems = [
  { name: '', isWindows: false, machine: (): WindowsFs => nodeFs, syncFs },
  {
    name: ', as if on Windows',
    isWindows: true,
    machine: (): WindowsFs => windowsFs(20_261_123),
    syncFs: windowsSyncFs(1),
  },
] as const;

/** What one call in so many meets: a virus scanner, an indexer or a backup that has the file open. */
const refusedShare = 0.05;
/** What no file or folder may be called, in whichever place of a path. */
const illegalName = /[<>:"|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|^.{256}/iu;
/** The clock ticks so often, and files show its time. */
const tickMs = 15.625;

/**
 * The disk of one machine as Windows has it, made of this one's: names in any case are one name; what is open can be
 * neither replaced nor moved, and if it can be removed, its name stays until it is closed; what was just removed refuses
 * everything for a moment, and is still listed; any call may be refused with EPERM or EBUSY; folders cannot be opened, nothing
 * moves to another folder (EXDEV), modes do nothing, times tick, and inodes and times of birth tell no two files apart; names of
 * devices, those with a colon or the like and those longer than 255 are refused (EINVAL).
 * Whoever uses the same `seed` in the same order meets the same.
 */
export function windowsFs(seed: number): WindowsFs {
  const random = seeded(seed);
  const fold = (path: string): string => path.toLowerCase();
  /** How many have it open. */
  const opened = new Map<string, number>();
  /** Removed while it was open. */
  const doomed = new Map<string, string>();
  /** For how many more calls it refuses all. */
  const going = new Map<string, number>();
  let lastRemoved = '';

  const isOpen = (path: string): boolean => (opened.get(fold(path)) ?? 0) > 0;

  function enter(...paths: readonly string[]): void {
    for (const [path, left] of going) if (left > 0) going.set(path, left - 1);
    if (paths.some(path => namesIn(path).some(name => illegalName.test(name)))) fail('EINVAL');
    for (const path of paths)
      if (doomed.has(fold(path)) || (going.get(fold(path)) ?? 0) > 0) fail(random() < 0.7 ? 'EPERM' : 'EACCES');
    if (random() < refusedShare) fail(random() < 0.5 ? 'EPERM' : 'EBUSY');
  }

  async function close(path: string): Promise<void> {
    const left = (opened.get(fold(path)) ?? 1) - 1;
    opened.set(fold(path), left);
    const gone = doomed.get(fold(path));
    if (left > 0 || gone === undefined) return;
    await nodeFs.unlink(gone);
    doomed.delete(fold(path));
  }

  async function whileOpen<T>(path: string, work: () => Promise<T>): Promise<T> {
    opened.set(fold(path), (opened.get(fold(path)) ?? 0) + 1);
    try {
      await turn();
      return await work();
    } finally {
      await close(path);
    }
  }

  function removed(path: string): void {
    going.set(fold(path), Math.floor(random() * 4));
    lastRemoved = path;
  }

  function seen(stats: Stats): object {
    const mtimeMs = ticked(stats.mtimeMs);
    const mode = (stats.mode & ~0o777) | 0o666;
    return Object.assign(stats as object, { mtimeMs, mtime: new Date(mtimeMs), ino: 2 ** 60, birthtimeMs: 0, mode });
  }

  const calls = {
    async mkdir(path: string, options?: { recursive?: boolean }) {
      enter(path);
      return nodeFs.mkdir(await inItsCase(path), { recursive: options?.recursive ?? false });
    },
    async rmdir(path: string) {
      enter(path);
      await nodeFs.rmdir(await inItsCase(path));
      removed(path);
    },
    async readdir(path: string, options?: object) {
      enter(path);
      const names = await nodeFs.readdir(await inItsCase(path), options);
      const isGhost = fold(dirname(lastRemoved)) === fold(path) && options === undefined && random() < 0.2;
      return isGhost ? [...new Set([...names, basename(lastRemoved)])] : names;
    },
    async stat(path: string) {
      enter(path);
      return seen(await nodeFs.stat(await inItsCase(path)));
    },
    async lstat(path: string) {
      enter(path);
      return seen(await nodeFs.lstat(await inItsCase(path)));
    },
    async realpath(path: string) {
      enter(path);
      return nodeFs.realpath(await inItsCase(path));
    },
    async chmod() {
      enter();
      return Promise.resolve();
    },
    async utimes(path: string, read: number, written: number) {
      enter(path);
      await nodeFs.utimes(await inItsCase(path), read, ticked(written * 1000) / 1000);
    },
    async readFile(path: string, options?: BufferEncoding) {
      enter(path);
      const file = await inItsCase(path);
      return whileOpen(path, async () => nodeFs.readFile(file, options));
    },
    async writeFile(path: string, data: string | Uint8Array, options?: { flag?: string }) {
      enter(path);
      const file = await inItsCase(path);
      return whileOpen(path, async () => nodeFs.writeFile(file, data, { flag: options?.flag ?? 'w' }));
    },
    async open(path: string, flags?: string) {
      enter(path);
      const file = await inItsCase(path);
      if ((await nodeFs.stat(file).catch(() => undefined))?.isDirectory()) fail('EPERM');
      const handle = await nodeFs.open(file, flags);
      opened.set(fold(path), (opened.get(fold(path)) ?? 0) + 1);
      const closeHandle = handle.close.bind(handle);
      handle.close = async () => closeHandle().then(async () => close(path));
      handle.chmod = async () => Promise.resolve();
      return handle;
    },
    async unlink(path: string) {
      enter(path);
      const file = await inItsCase(path);
      if (!isOpen(path)) {
        await nodeFs.unlink(file);
        removed(path);
      } else if (random() < 0.5) fail('EBUSY');
      else doomed.set(fold(path), file);
    },
    async rename(from: string, to: string) {
      enter(from, to);
      if (fold(dirname(from)) !== fold(dirname(to))) fail('EXDEV');
      const [source, target] = [await inItsCase(from), await inItsCase(to)];
      if (isOpen(from) || isOpen(to)) fail('EPERM');
      await nodeFs.rename(source, target);
    },
  };
  return calls as unknown as WindowsFs;
}

/** As `windowsFs`, for calls that wait. */
function windowsSyncFs(seed: number): KeyFs {
  const random = seeded(seed);
  const refusing = <Of extends unknown[], Result>(call: (...of: Of) => Result) => {
    return (...of: Of): Result =>
      random() < 6 * refusedShare ? fail(random() < 0.5 ? 'EPERM' : 'EBUSY') : call(...of);
  };
  return {
    ...syncFs,
    readFileSync: refusing(syncFs.readFileSync) as typeof syncFs.readFileSync,
    renameSync: refusing(syncFs.renameSync),
    writeFileSync: refusing((file, data) => syncFs.writeFileSync(file, data)),
    fsyncSync: file => (syncFs.fstatSync(file).isDirectory() ? fail('EPERM') : syncFs.fsyncSync(file)),
  };
}

/** The path as the disk spells it, whatever the case it is asked for in. */
async function inItsCase(path: string): Promise<string> {
  if (dirname(path) === path || (await nodeFs.lstat(path).catch(() => undefined))) return path;
  const folder = await inItsCase(dirname(path));
  const names = await nodeFs.readdir(folder).catch(() => []);
  const name = names.find(one => one.toLowerCase() === basename(path).toLowerCase());
  return join(folder, name ?? basename(path));
}

/** The names in a path of this machine, without its root: the drive of Windows has a colon. */
function namesIn(path: string): string[] {
  return path.slice(parse(path).root.length).split(/[\\/]/);
}

function ticked(ms: number): number {
  return Math.floor(ms / tickMs) * tickMs;
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
