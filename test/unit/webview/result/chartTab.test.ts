import assert from 'node:assert/strict';
import { pictureName } from '../../../../src/webview/result/chartTab.ts';

/** Matches the file names that the host accepts. */
const acceptedName = /^[\w .()-]{1,100}\.(?:png|svg)$/;

describe('the file name of a saved image', () => {
  it('uses the title of the query as the file name', () => {
    assert.equal(pictureName('System state · last 7 days · hourly', 'png'), 'System state - last 7 days - hourly.png');
    assert.equal(pictureName('Wind · 2023-01..2023-03 · 1h', 'svg'), 'Wind - 2023-01..2023-03 - 1h.svg');
    assert.equal(pictureName('Vêrby Overberg: 05:00/06:00', 'png'), 'Verby Overberg- 05-00-06-00.png');
  });

  it('labels Sample Data in the file name, however long the title', () => {
    assert.equal(pictureName('Wind', 'png', 'SAMPLE DATA'), 'Wind SAMPLE DATA.png');
    for (const title of ['Wind · last 7 days · Sample Data', 'Wind - last 7 days - SAMPLE DATA'])
      assert.equal(pictureName(title, 'png', 'SAMPLE DATA'), 'Wind - last 7 days SAMPLE DATA.png');
    assert.equal(pictureName('Sample Data', 'png', 'SAMPLE DATA'), 'SAMPLE DATA.png');
    assert.equal(pictureName('Wind · Sample Data', 'png'), 'Wind - Sample Data.png');
    const longName = pictureName('x'.repeat(300), 'svg', 'SAMPLE DATA');
    assert.match(longName, /x SAMPLE DATA\.svg$/);
    assert.match(longName, acceptedName);
  });

  it('returns a valid file name for every file system, for any title', () => {
    const titles = [
      '',
      '···',
      '../../etc/passwd',
      '日本',
      '.hidden',
      'a\\b\n"c"',
      'x'.repeat(300),
      `${'x'.repeat(79)} .y`,
    ];
    for (const title of titles) {
      const name = pictureName(title, 'png');
      assert.match(name, acceptedName);
      assert.doesNotMatch(name, /^\.|[ .]\.png$/);
    }
    assert.equal(pictureName('日本', 'png'), 'chart.png');
  });
});
