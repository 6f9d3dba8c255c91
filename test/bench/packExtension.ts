import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { runStep } from '../../scripts/steps.ts';

/** Packages the current sources, so that the benchmarks measure them. */
export async function packExtension(): Promise<void> {
  await runStep({
    title: 'Packing the extension',
    command: process.execPath,
    args: [join('scripts', 'package', 'package.ts')],
    cwd: root,
    log: 'bench-package.log',
  });
}
