// Loaded by mocha before the unit tests. Whatever they start with Node finds what was compiled before: most of the start of a
// program in TypeScript is to read its sources.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cache } from '../../scripts/paths.ts';

process.env['NODE_COMPILE_CACHE'] ??= join(cache, 'compiled');
enableCompileCache(process.env['NODE_COMPILE_CACHE']);
