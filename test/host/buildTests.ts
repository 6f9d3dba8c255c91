import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/paths.ts';

/** Where the integration suite is built to; its entry is index.js. */
export const builtTests = join(root, 'out', 'test');

/** Bundles the integration suite for the extension host: one file a test, found by their names. */
export async function buildTests(): Promise<void> {
  await rm(builtTests, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['test/integration/index.ts', 'test/integration/**/*.test.ts'],
    outdir: builtTests,
    outbase: 'test/integration',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    // As the extension's own build.
    mainFields: ['module', 'main'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    logLevel: 'warning',
    // Mocha is loaded from node_modules at run time: it finds its own parts by path.
    external: ['vscode', 'mocha'],
  });
}
