// `npm run demo`: reads the command line, makes the machine ready, then starts the demo (demo.ts) under Node 24.
import { readDemoOptions, usage } from './demo/demoOptions.mjs';
import { install, main, runUnderNode24 } from './install.mjs';

await main(async () => {
  const request = readDemoOptions(process.argv.slice(2));
  if (request.kind === 'help') {
    console.log(usage);
    return 0;
  }
  if (request.kind === 'wrong') {
    console.error(request.sentence);
    return 2;
  }
  // There is no server of VS Code to install on Windows: the desktop's has to be there.
  const node = await install({ vscode: process.platform === 'win32' ? 'none' : 'server' });
  return runUnderNode24(node, ['scripts/demo/demo.ts', JSON.stringify(request.options)]);
});
