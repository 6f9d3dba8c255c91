import * as esbuild from 'esbuild';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';

const built = new Map<string, Promise<string>>();

/** Builds a script of the page from source, once for each `entry`, a path relative to the project folder. */
export function bundle(entry: string): Promise<string> {
  const script = built.get(entry) ?? build(entry);
  built.set(entry, script);
  return script;
}

async function build(entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome142',
    tsconfig: join(root, 'src/webview/tsconfig.json'),
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}
