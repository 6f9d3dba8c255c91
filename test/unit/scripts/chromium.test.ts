import assert from 'node:assert/strict';
import { findChromium } from '../../../scripts/install/chromium.ts';

describe('the search for a browser', () => {
  const on =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);

  it('uses CHROME_PATH, also when the file does not exist', () => {
    const env = { CHROME_PATH: '/opt/mine', PATH: '/usr/bin' };
    assert.equal(findChromium(env, 'linux', on('/opt/mine', '/usr/bin/chromium')), '/opt/mine');
    assert.equal(findChromium(env, 'linux', on('/usr/bin/chromium')), undefined);
  });

  it('searches the PATH on Linux', () => {
    const env = { PATH: '/bin:/usr/bin' };
    assert.equal(findChromium(env, 'linux', on('/usr/bin/chromium')), '/usr/bin/chromium');
    assert.equal(findChromium(env, 'linux', on()), undefined);
  });

  it('prefers the headless shell unless the browser should be visible', () => {
    const bothInstalled = on('/usr/bin/chromium', '/usr/bin/chromium-headless-shell');
    assert.equal(findChromium({ PATH: '/usr/bin' }, 'linux', bothInstalled), '/usr/bin/chromium-headless-shell');
    assert.equal(findChromium({ PATH: '/usr/bin', PWDEBUG: '1' }, 'linux', bothInstalled), '/usr/bin/chromium');
  });

  it('searches the applications on macOS and Windows', () => {
    const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    assert.equal(findChromium({ HOME: '/Users/a' }, 'darwin', on(mac)), mac);
    const windows = 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
    assert.equal(findChromium({ ProgramFiles: 'C:\\Program Files' }, 'win32', on(windows)), windows);
  });
});
