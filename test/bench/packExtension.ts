import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { runStep } from '../../scripts/steps.ts';

/** Packs the sources as they are now, so that a figure of the package is theirs. */
export async function packExtension(): Promise<void> {
  await runStep({
    title: 'Packing the extension',
    command: process.execPath,
    args: [join('scripts', 'package', 'package.ts')],
    cwd: root,
    log: 'bench-package.log',
  });
}
