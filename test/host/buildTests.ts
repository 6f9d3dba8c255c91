import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/paths.ts';

/** The output folder of the integration suite, whose entry point is index.js. */
export const builtTests = join(root, 'out', 'test');

/** Bundles the integration suite for the extension host, one bundle per test file. */
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
    // The extension itself is built with the same fields.
    mainFields: ['module', 'main'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    logLevel: 'warning',
    // Mocha is loaded from node_modules at run time: it resolves its own modules by path.
    external: ['vscode', 'mocha'],
  });
}
