// `npm run demo`: parses the command line, installs what is missing, then starts the demo (demo.ts) under Node 24.
import { readDemoOptions, usage } from './demo/demoOptions.mjs';
import { install, main, runUnderNode24 } from './install.mjs';

await main(async () => {
  const request = readDemoOptions(process.argv.slice(2));
  if (request.kind === 'help') {
    console.log(usage);
    return 0;
  }
  if (request.kind === 'invalid') {
    console.error(request.message);
    return 2;
  }
  // VS Code's server cannot be installed on Windows, where the demo needs desktop VS Code.
  const node = await install({ vscode: process.platform === 'win32' ? 'none' : 'server' });
  return runUnderNode24(node, ['scripts/demo/demo.ts', JSON.stringify(request.options)]);
});
