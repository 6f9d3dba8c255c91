import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

/** Files that cannot be read, or whose reading would never end or use all memory. Each is created at a path; not on Windows. */
export const endlessFiles: readonly { readonly name: string; readonly create: (path: string) => void }[] = [
  { name: 'a pipe', create: path => void execFileSync('mkfifo', [path]) },
  { name: 'a link to a device without an end', create: path => symlinkSync('/dev/zero', path) },
  { name: 'a folder', create: path => mkdirSync(path) },
  {
    name: 'a file of 1.2 GB',
    create: path => {
      writeFileSync(path, '');
      truncateSync(path, 1.2e9);
    },
  },
];
