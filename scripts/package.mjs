// `npm run package`: installs what is missing, then builds the VSIX (package.ts).
import { install, main, runUnderNode24 } from './install.mjs';

await main(async () => runUnderNode24(await install({ vscode: 'none' }), ['scripts/package/package.ts']));
