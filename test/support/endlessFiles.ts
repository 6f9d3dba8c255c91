import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

/** What may stand where a file is read, and whose reading would never end, or take all memory. Each makes it at a path; not for Windows. */
export const endlessFiles: readonly { readonly name: string; readonly make: (path: string) => void }[] = [
  { name: 'a pipe', make: path => void execFileSync('mkfifo', [path]) },
  { name: 'a link to a device without an end', make: path => symlinkSync('/dev/zero', path) },
  { name: 'a folder', make: path => mkdirSync(path) },
  {
    name: 'a file of 1.2 GB',
    make: path => {
      writeFileSync(path, '');
      truncateSync(path, 1.2e9);
    },
  },
];
