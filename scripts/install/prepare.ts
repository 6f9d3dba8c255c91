// Installs VS Code's server and a browser; install.mjs starts it after the dependencies are installed.
import { ensureChromium } from './chromium.ts';
import { installServer } from './installServer.ts';

try {
  await installServer();
  if (process.argv[2] !== 'server') await ensureChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
