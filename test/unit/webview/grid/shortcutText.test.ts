import assert from 'node:assert/strict';
import { shortcutText } from '../../../../src/webview/grid/shortcutText.ts';

describe('a shortcut in a menu', () => {
  it('shows shortcuts of the platform', () => {
    const of = (shortcut: string, platform: string): string[] =>
      Object.values(shortcutText(shortcut, platform)) as string[];
    assert.deepEqual(of('Ctrl+Shift+C', 'MacIntel'), ['⇧⌘C', 'Command+Shift+C']);
    assert.deepEqual(of('Ctrl+F', 'MacIntel'), ['⌘F', 'Command+F']);
    assert.deepEqual(of('Ctrl+F', 'Linux x86_64'), ['Ctrl+F', 'Ctrl+F']);
  });
});
