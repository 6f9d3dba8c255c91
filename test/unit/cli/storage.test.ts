import assert from 'node:assert/strict';
import { findStorage } from '../../../src/cli/storage.ts';

const extension = 'grid-data.grid-data-inspector';

describe('the storage folder of the command line', () => {
  const find = (
    platform: NodeJS.Platform,
    home: string,
    variables: NodeJS.ProcessEnv,
    existing: readonly string[] = [],
  ): string => findStorage({ platform, home, variables, exists: path => existing.includes(path) });

  it('is the folder of the extension in the first editor that has one', () => {
    const code = `/home/thandi/.config/Code/User/globalStorage/${extension}`;
    const cursor = `/home/thandi/.config/Cursor/User/globalStorage/${extension}`;
    assert.equal(find('linux', '/home/thandi', {}, [cursor, code]), code);
    assert.equal(find('linux', '/home/thandi', {}, [cursor]), cursor);
    const server = `/home/thandi/.vscode-server/data/User/globalStorage/${extension}`;
    assert.equal(find('linux', '/home/thandi', {}, [server]), server);
  });

  it('is a folder for the command line alone if no editor has the extension', () => {
    assert.equal(find('linux', '/home/thandi', {}), '/home/thandi/.local/share/grid-data-inspector');
    assert.equal(find('linux', '/home/thandi', { XDG_DATA_HOME: '/data' }), '/data/grid-data-inspector');
    assert.equal(find('darwin', '/Users/thandi', {}), '/Users/thandi/Library/Application Support/grid-data-inspector');
  });

  it('has Windows separators on Windows', () => {
    const home = String.raw`C:\Users\Thandi`;
    const roaming = String.raw`D:\Roaming`;
    const code = String.raw`D:\Roaming\Code\User\globalStorage` + `\\${extension}`;
    assert.equal(find('win32', home, { APPDATA: roaming }, [code]), code);
    assert.equal(find('win32', home, {}), String.raw`C:\Users\Thandi\AppData\Local\grid-data-inspector`);
  });

  it('is the folder in GRID_DATA_STORAGE if it is set', () => {
    const code = `/home/thandi/.config/Code/User/globalStorage/${extension}`;
    assert.equal(find('linux', '/home/thandi', { GRID_DATA_STORAGE: '/srv/grid' }, [code]), '/srv/grid');
  });
});
