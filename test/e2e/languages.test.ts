import assert from 'node:assert/strict';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { readHeader } from './support.ts';

describe('a VS Code in Afrikaans', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench({ language: 'af' });
  });
  disposeAfter(() => [workbench]);

  it('shows the views, welcome texts and commands in Afrikaans', async () => {
    await workbench.openSidebar('Grid Data');
    const welcome = workbench.page.locator('.welcome-view-content');
    await welcome.getByText('Voeg verbinding by').waitFor();
    await workbench.page.locator('.pane-header', { hasText: 'Verbindings' }).waitFor();
    await workbench.runCommand('Grid Data: Voeg verbinding by…');
    await workbench.quickInput.cancel();
  });

  it('shows input boxes and the panel in Afrikaans', async () => {
    await workbench.page.locator('.welcome-view-content').getByText('Maak voorbeelddata oop', { exact: true }).click();
    const frame = await workbench.resultFrame('Stelseltoestand · laaste 7 dae · uurliks');
    const completeHeader =
      /Voorbeelddata · Stelseltoestand · .* UTC · uurliks · (?:16\d rye|16\d van 168 uur, .*) · .*1 versoek/;
    await until(
      'the header line',
      () => readHeader(frame),
      line => completeHeader.test(line),
    );
    assert.match(await frame.locator('[role=columnheader]:visible').nth(1).innerText(), /Oorblywende aanvraag/);
    assert.deepEqual(await frame.locator('[role=tab]').allInnerTexts(), [
      'Tabel',
      'Grafiek',
      'Verdeel',
      'Statistiek',
      'Voorspelling',
      'Gebeurtenisse',
      'Rou',
    ]);
    await frame.locator('[role=tab]', { hasText: 'Statistiek' }).click();
    await frame.getByText(/^Las-duurkromme: oppervlakte .+ oor 1\d\d h$/).waitFor();
    await workbench.runCommand('Grid Data: Laat navraag loop…');
    await workbench.quickInput.waitOpen('Laat navraag loop');
    const items = await workbench.quickInput.waitItem('3 versoeke per 60 s');
    assert.ok(
      items.some(item => item.includes('Netstres') && item.includes('3 versoeke per 60 s')),
      items.join('\n'),
    );
    await workbench.quickInput.cancel();
  });
});

describe('the language setting', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await startWorkbench({ settings: { 'gridData.language': 'af' } });
  });
  disposeAfter(() => [workbench]);

  it('shows the panel and input boxes in Afrikaans in an English VS Code', async () => {
    await workbench.runCommand('Grid Data: Open Sample Data');
    const frame = await workbench.resultFrame('Stelseltoestand · laaste 7 dae · uurliks');
    await frame.locator('[role=tab]', { hasText: 'Grafiek' }).waitFor();
    await workbench.runCommand('Grid Data: Run Query…');
    await workbench.quickInput.waitOpen('Laat navraag loop');
    await workbench.quickInput.pick('Stelseltoestand');
    await workbench.quickInput.waitItem('Laaste 30 dae');
    await workbench.quickInput.type('afgelope 3 dae');
    await workbench.quickInput.waitItem('laaste 3 dae');
    await workbench.quickInput.cancel();
  });
});
