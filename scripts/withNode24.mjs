// Runs one of the project's TypeScript files under Node 24, also on a machine that has only Node 20: `node withNode24.mjs FILE …`.
import { install, main, runUnderNode24 } from './install.mjs';

await main(async () => runUnderNode24(await install({ vscode: 'none' }), process.argv.slice(2)));
