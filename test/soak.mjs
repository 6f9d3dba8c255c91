// `npm run soak`: makes the machine ready, then goes through a day of use in the package that was made last.
import { install, main, runUnderNode24 } from '../scripts/install.mjs';

const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '0'];
await main(async () => {
  const node = await install({ vscode: process.platform === 'linux' ? 'all' : 'none' });
  return runUnderNode24(node, [...mocha, 'test/e2e/dayOfUse.long.test.ts', ...process.argv.slice(2)]);
});
