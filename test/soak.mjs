// `npm run soak`: installs what is missing, then runs the day-of-use test with the last built package.
import { install, main, runUnderNode24 } from '../scripts/install.mjs';

const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '0'];
await main(async () => {
  const node = await install({ vscode: process.platform === 'linux' ? 'all' : 'none' });
  return runUnderNode24(node, [...mocha, 'test/e2e/dayOfUse.long.test.ts', ...process.argv.slice(2)]);
});
