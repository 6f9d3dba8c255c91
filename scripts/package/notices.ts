// `npm run notices`: writes ThirdPartyNotices.txt for the packages in the last build (dist/meta.json).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { findBundledPackages, copiedPackages, formatNotices, readNotice } from './thirdPartyNotices.ts';
import type { Metafile } from './thirdPartyNotices.ts';

try {
  writeNotices();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function writeNotices(): void {
  const meta = join(root, 'dist', 'meta.json');
  if (!existsSync(meta)) throw new Error('dist/meta.json is missing. Run `npm run build` first.');
  const bundled = findBundledPackages(JSON.parse(readFileSync(meta, 'utf8')) as Metafile[]);
  const copied = Object.keys(copiedPackages).map(name => `node_modules/${name}`);
  const notices = [...new Set([...bundled, ...copied])].map(folder => readNotice(join(root, folder)));
  writeFileSync(join(root, 'ThirdPartyNotices.txt'), formatNotices(notices));
  console.log(`ThirdPartyNotices.txt: ${notices.length} packages.`);
}
