// Mocha loads this file before the unit tests. Their child processes share a compile cache, since compiling TypeScript takes
// most of the start-up time of a program.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cache } from '../../scripts/paths.ts';

process.env['NODE_COMPILE_CACHE'] ??= join(cache, 'compiled');
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
