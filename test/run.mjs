// `npm test`: makes the machine ready, then runs the stages (test/host/stages.ts). `npm test -- unit view` runs only those;
// `--server=4.110.0` takes that release of code-server, here VS Code 1.110.
import { install, main, runUnderNode24 } from '../scripts/install.mjs';

const [servers, stages] = [true, false].map(isServer =>
  process.argv.slice(2).filter(argument => argument.startsWith('--server=') === isServer),
);
// Whatever is started from here reads it in scripts/paths.ts.
for (const server of servers) process.env.VSCODE_SERVER_VERSION = server.slice('--server='.length);
const withoutVsCode = ['lint', 'format', 'types', 'build', 'package', 'unit'];

await main(async () => {
  try {
    const needsVsCode = stages.length === 0 || stages.some(name => !withoutVsCode.includes(name));
    // Elsewhere there is no server to install; the stages say what they do without (test/host/stages.ts).
    const node = await install({ vscode: needsVsCode && process.platform === 'linux' ? 'all' : 'none' });
    return await runUnderNode24(node, ['test/host/stages.ts', ...stages]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log('0 passed, 1 failed');
    return 1;
  }
});
