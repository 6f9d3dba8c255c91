// `npm test`: installs what is missing, then runs the stages (test/host/stages.ts). `npm test -- unit view` runs only those;
// `--server=4.110.0` uses that release of code-server, here with VS Code 1.110.
import { install, main, runUnderNode24 } from '../scripts/install.mjs';

const [servers, stages] = [true, false].map(isServer =>
  process.argv.slice(2).filter(argument => argument.startsWith('--server=') === isServer),
);
// Child processes read the variable in scripts/paths.ts.
for (const server of servers) process.env.VSCODE_SERVER_VERSION = server.slice('--server='.length);
const withoutVsCode = ['lint', 'format', 'types', 'build', 'package', 'unit'];

await main(async () => {
  try {
    const needsVsCode = stages.length === 0 || stages.some(name => !withoutVsCode.includes(name));
    // VS Code's server is installed on Linux only; the stages report what they skip without it (test/host/stages.ts).
    const node = await install({ vscode: needsVsCode && process.platform === 'linux' ? 'all' : 'none' });
    return await runUnderNode24(node, ['test/host/stages.ts', ...stages]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log('0 passed, 1 failed');
    return 1;
  }
});
