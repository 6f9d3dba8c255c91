import * as syncFs from 'node:fs';
import type { Stats } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { KeyFs } from '../../src/sandbox/keys/openKeyStore.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import { createSeededRandom } from './seededRandom.ts';

type WindowsFs = StorageFs & Pick<typeof nodeFs, 'chmod' | 'lstat' | 'realpath'>;

/** The file systems that suites run on: the real one, and a simulated Windows. The windows of a machine share one. */
export const fileSystems = [
  { name: '', isWindows: false, machine: (): WindowsFs => nodeFs, syncFs },
  {
    name: ', as if on Windows',
    isWindows: true,
    machine: (): WindowsFs => windowsFs(20_261_123),
    syncFs: windowsSyncFs(1),
  },
] as const;

/** The share of calls that fail because a virus scanner, an indexer or a backup has the file open. */
const failureShare = 0.05;
/** Matches illegal names of files and folders. */
const illegalName = /[<>:"|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|^.{256}/iu;
/** The resolution of file times. */
const tickMs = 15.625;

/**
 * Simulates Windows on the real file system. Names are case-insensitive. Open files cannot be replaced or moved; if they are removed,
 * their names stay until they are closed. Removed files fail all calls for a moment, and are still listed. Any call may fail with EPERM or
 * EBUSY. Folders cannot be opened, nothing moves to another folder (EXDEV), modes have no effect, times are coarse, and inodes and birth
 * times are not unique. Names of devices, with illegal characters or longer than 255 are rejected (EINVAL).
 * The same `seed` gives the same failures for the same order of calls.
 */
export function windowsFs(seed: number): WindowsFs {
  const random = createSeededRandom(seed);
  const fold = (path: string): string => path.toLowerCase();
  /** The number of open handles by path. */
  const openHandles = new Map<string, number>();
  /** The files that were removed while they were open. */
  const removedWhileOpen = new Map<string, string>();
  /** The remaining number of failing calls of removed files. */
  const failingCalls = new Map<string, number>();
  let lastRemoved = '';

  const isOpen = (path: string): boolean => (openHandles.get(fold(path)) ?? 0) > 0;

  function checkCall(...paths: readonly string[]): void {
    for (const [path, left] of failingCalls) if (left > 0) failingCalls.set(path, left - 1);
    if (paths.some(path => splitNames(path).some(name => illegalName.test(name)))) fail('EINVAL');
    for (const path of paths)
      if (removedWhileOpen.has(fold(path)) || (failingCalls.get(fold(path)) ?? 0) > 0)
        fail(random() < 0.7 ? 'EPERM' : 'EACCES');
    if (random() < failureShare) fail(random() < 0.5 ? 'EPERM' : 'EBUSY');
  }

  async function close(path: string): Promise<void> {
    const openCount = (openHandles.get(fold(path)) ?? 1) - 1;
    openHandles.set(fold(path), openCount);
    const removedPath = removedWhileOpen.get(fold(path));
    if (openCount > 0 || removedPath === undefined) return;
    await nodeFs.unlink(removedPath);
    removedWhileOpen.delete(fold(path));
  }

  async function whileOpen<T>(path: string, work: () => Promise<T>): Promise<T> {
    openHandles.set(fold(path), (openHandles.get(fold(path)) ?? 0) + 1);
    try {
      await turn();
      return await work();
    } finally {
      await close(path);
    }
  }

  function markRemoved(path: string): void {
    failingCalls.set(fold(path), Math.floor(random() * 4));
    lastRemoved = path;
  }

  function simulateStats(stats: Stats): object {
    const mtimeMs = roundToTick(stats.mtimeMs);
    const mode = (stats.mode & ~0o777) | 0o666;
    return Object.assign(stats as object, { mtimeMs, mtime: new Date(mtimeMs), ino: 2 ** 60, birthtimeMs: 0, mode });
  }

  const calls = {
    async mkdir(path: string, options?: { recursive?: boolean }) {
      checkCall(path);
      return nodeFs.mkdir(await resolveCase(path), { recursive: options?.recursive ?? false });
    },
    async rmdir(path: string) {
      checkCall(path);
      await nodeFs.rmdir(await resolveCase(path));
      markRemoved(path);
    },
    async readdir(path: string, options?: object) {
      checkCall(path);
      const names = await nodeFs.readdir(await resolveCase(path), options);
      const isGhost = fold(dirname(lastRemoved)) === fold(path) && options === undefined && random() < 0.2;
      return isGhost ? [...new Set([...names, basename(lastRemoved)])] : names;
    },
    async stat(path: string) {
      checkCall(path);
      return simulateStats(await nodeFs.stat(await resolveCase(path)));
    },
    async lstat(path: string) {
      checkCall(path);
      return simulateStats(await nodeFs.lstat(await resolveCase(path)));
    },
    async realpath(path: string) {
      checkCall(path);
      return nodeFs.realpath(await resolveCase(path));
    },
    async chmod() {
      checkCall();
      return Promise.resolve();
    },
    async utimes(path: string, read: number, written: number) {
      checkCall(path);
      await nodeFs.utimes(await resolveCase(path), read, roundToTick(written * 1000) / 1000);
    },
    async readFile(path: string, options?: BufferEncoding) {
      checkCall(path);
      const file = await resolveCase(path);
      return whileOpen(path, async () => nodeFs.readFile(file, options));
    },
    async writeFile(path: string, data: string | Uint8Array, options?: { flag?: string }) {
      checkCall(path);
      const file = await resolveCase(path);
      return whileOpen(path, async () => nodeFs.writeFile(file, data, { flag: options?.flag ?? 'w' }));
    },
    async open(path: string, flags?: string) {
      checkCall(path);
      const file = await resolveCase(path);
      if ((await nodeFs.stat(file).catch(() => undefined))?.isDirectory()) fail('EPERM');
      const handle = await nodeFs.open(file, flags);
      openHandles.set(fold(path), (openHandles.get(fold(path)) ?? 0) + 1);
      const closeHandle = handle.close.bind(handle);
      handle.close = async () => closeHandle().then(async () => close(path));
      handle.chmod = async () => Promise.resolve();
      return handle;
    },
    async unlink(path: string) {
      checkCall(path);
      const file = await resolveCase(path);
      if (!isOpen(path)) {
        await nodeFs.unlink(file);
        markRemoved(path);
      } else if (random() < 0.5) fail('EBUSY');
      else removedWhileOpen.set(fold(path), file);
    },
    async rename(from: string, to: string) {
      checkCall(from, to);
      if (fold(dirname(from)) !== fold(dirname(to))) fail('EXDEV');
      const source = await resolveCase(from);
      const target = await resolveCase(to);
      if (isOpen(from) || isOpen(to)) fail('EPERM');
      await nodeFs.rename(source, target);
    },
  };
  return calls as unknown as WindowsFs;
}

/** Simulates the failures of Windows in synchronous calls. */
function windowsSyncFs(seed: number): KeyFs {
  const random = createSeededRandom(seed);
  const withFailures = <Of extends unknown[], Result>(call: (...of: Of) => Result) => {
    return (...of: Of): Result =>
      random() < 6 * failureShare ? fail(random() < 0.5 ? 'EPERM' : 'EBUSY') : call(...of);
  };
  return {
    ...syncFs,
    readFileSync: withFailures(syncFs.readFileSync) as typeof syncFs.readFileSync,
    renameSync: withFailures(syncFs.renameSync),
    writeFileSync: withFailures((file, data) => syncFs.writeFileSync(file, data)),
    fsyncSync: file => (syncFs.fstatSync(file).isDirectory() ? fail('EPERM') : syncFs.fsyncSync(file)),
  };
}

/** Resolves a path in any case to its spelling on disk. */
async function resolveCase(path: string): Promise<string> {
  if (dirname(path) === path || (await nodeFs.lstat(path).catch(() => undefined))) return path;
  const folder = await resolveCase(dirname(path));
  const names = await nodeFs.readdir(folder).catch(() => []);
  const name = names.find(entry => entry.toLowerCase() === basename(path).toLowerCase());
  return join(folder, name ?? basename(path));
}

/** Splits a path into names without its root, since a Windows drive contains a colon. */
function splitNames(path: string): string[] {
  return path.slice(parse(path).root.length).split(/[\\/]/);
}

function roundToTick(ms: number): number {
  return Math.floor(ms / tickMs) * tickMs;
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
