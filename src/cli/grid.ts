#!/usr/bin/env node
import { createRequire, enableCompileCache } from 'node:module';
import { extname } from 'node:path';

/** The oldest version of Node that has everything the commands use. */
const minNodeVersion = 22;

const { node } = process.versions;
if (Number.parseInt(node, 10) < minNodeVersion) {
  process.stderr.write(`grid needs Node ${minNodeVersion} or later; this is ${node}.\n`);
  process.exitCode = 1;
} else {
  // Only files that are loaded after this call are cached, so the commands are in a file of their own.
  enableCompileCache();
  const load = createRequire(import.meta.filename);
  load(extname(import.meta.filename) === '.ts' ? './main.ts' : './gridMain.js');
}
