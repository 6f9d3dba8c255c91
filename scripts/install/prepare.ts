// Makes VS Code's server and a browser ready; started by install.mjs once the dependencies are there.
import { ensureChromium } from './chromium.ts';
import { installServer } from './installServer.ts';

try {
  await installServer();
  if (process.argv[2] !== 'server') await ensureChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
