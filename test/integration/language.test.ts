import assert from 'node:assert/strict';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { settings } from '../../src/host/ids.ts';
import { useLanguage } from '../../src/host/configuration.ts';
import { displayLocale } from '../../src/host/language.ts';
import { formatCount, formatRows } from '../../src/host/messages/numbers.ts';
import { translateRange } from '../../src/host/messages/times.ts';
import { captureShownTexts } from './screen.ts';

describe('the language setting', () => {
  const { extensionUri } = vscode.extensions.getExtension('grid-data.grid-data-inspector') ?? assert.fail();
  const setLanguage = async (language: string | undefined) =>
    vscode.workspace.getConfiguration().update(settings.language, language, vscode.ConfigurationTarget.Global);

  after(async () => {
    await setLanguage(undefined);
    useLanguage(extensionUri, () => undefined).dispose();
  });

  it('applies to texts, numbers and ranges', async () => {
    await setLanguage('af');
    useLanguage(extensionUri, () => undefined).dispose();
    assert.deepEqual([displayLocale(), formatRows(1), translateRange('last 7 days')], ['af', '1 ry', 'laaste 7 dae']);
    assert.match(formatCount(1234), /^1\s234$/);
    assert.equal(translateRange('last 7 weekends'), 'last 7 weekends');
    await setLanguage('en');
    useLanguage(extensionUri, () => undefined).dispose();
    assert.deepEqual(
      [displayLocale(), formatRows(1), formatCount(1234), translateRange('last 7 days')],
      ['en', '1 row', '1,234', 'last 7 days'],
    );
  });

  it("follows VS Code's language for auto and for unknown values", async () => {
    for (const value of [undefined, 'auto', '../../package']) {
      await setLanguage(value);
      useLanguage(extensionUri, () => undefined).dispose();
      assert.deepEqual([displayLocale(), t('1 row')], [vscode.env.language, '1 row']);
    }
  });

  it('offers to reload the window when it changes', async () => {
    const texts = await captureShownTexts(async () => {
      // VS Code notifies the extension first, since it subscribed earlier.
      const settingChanged = new Promise(resolve => {
        const subscription = vscode.workspace.onDidChangeConfiguration(event => {
          if (!event.affectsConfiguration(settings.language)) return;
          subscription.dispose();
          resolve(undefined);
        });
      });
      await setLanguage('af');
      await settingChanged;
    });
    assert.deepEqual(texts, ['Reload the window to show Grid Data in another language.', 'Reload Window']);
  });
});
