import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { ContributionWalk, usesResult } from './contributionWalk.ts';
import { listContributions, parseContextKeys, type Contribution } from './harness/contributions.ts';
import { pressAndWait, dismissAll, assertNoError } from './harness/activation.ts';
import { respondWithHours } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';
import { PanelWalk } from './panelWalk.ts';
import { chooseFile, openSavedQueries, waitForSavedNames } from './savedSupport.ts';
import { addConnection, setLimits } from './support.ts';

const day = { dataset: 'systemState', range: 'last 24 hours' };
const personal = {
  queries: [
    { name: 'First', ...day },
    { name: 'Middle', ...day },
    { name: 'Fresh', ...day, keepFresh: true, alerts: [{ kind: 'late' }] },
    { folder: 'Folder', queries: [{ name: 'Inner', ...day }] },
  ],
};
const shared = { queries: [{ name: 'Shared', ...day, keepFresh: true }] };

/** Context keys that are not true in a new window. */
const initiallyFalse = [
  ...['hasSaved', 'hasWatched', 'hasAlerts', 'hasRecent', 'savedFilter', 'canUndoDelete', 'stressPinned'],
  ...['sampleDataRunning', 'board'],
].map(name => `gridData.${name}`);

const contributions = listContributions();
/** Kinds that, like the palette, pass no argument to the command; so do keys outside of the views. */
const kindsWithoutArgument = ['view title', 'editor title', 'welcome link', 'walkthrough link'];
/** Palette entries are tested only where no other contribution runs the command without an argument. */
const tested = contributions.filter(
  ({ kind, command }) =>
    kind !== 'palette' ||
    !contributions.some(
      other =>
        other.command === command &&
        (kindsWithoutArgument.includes(other.kind) || (other.kind === 'key' && !other.containerId)),
    ),
);
const available = tested.filter(isAvailableFirst);
const welcomeLinks = tested.filter(
  contribution => contribution.kind === 'welcome link' && !available.includes(contribution),
);
const remaining = tested.filter(
  contribution =>
    contribution.kind !== 'welcome link' &&
    !(contribution.kind === 'walkthrough link' && available.includes(contribution)) &&
    parseContextKeys(contribution.when).get('gridData.noConnection') !== true,
);

/** Whether the contribution is available before there is a connection. */
function isAvailableFirst({ kind, command, when }: Contribution): boolean {
  const names = parseContextKeys(when);
  if (kind === 'status bar' || kind === 'key' || kind.startsWith('line')) return false;
  if (names.get('gridData.noConnection') === false || names.has('activeWebviewPanelId')) return false;
  if (initiallyFalse.some(name => names.get(name) === true)) return false;
  // Sample Data adds a connection, so the contribution that needs none to exist comes last.
  return command !== 'gridData.startSandbox' || names.get('gridData.noConnection') === true || kind === 'welcome link';
}

describe('every command contributed to the workbench', () => {
  let workbench: Workbench;
  let service: CannedService;
  const folder = createTemporaryFolder();
  let walk: ContributionWalk;

  before(async () => {
    service = await startCannedService(respondWithHours);
    workbench = await startWorkbench({ folder, viewport: { width: 1400, height: 1000 } });
    walk = new ContributionWalk(workbench);
    await openSavedQueries(workbench);
  });
  disposeAfter(() => [workbench, service]);
  let remainingTabs = 0;
  afterEach(async () => dismissAll(workbench, remainingTabs));

  function testPress(contribution: Contribution, title = describeContribution(contribution)): void {
    it(`acts without an error: ${title}`, async () => {
      await walk.prepare(contribution);
      await pressAndWait(
        workbench,
        title,
        async () => walk.press(contribution),
        () => service.receivedRequests.length,
      );
      const { command, kind } = contribution;
      // From the palette the command first asks what to delete.
      if (command === 'gridData.deleteSavedItem' && kind !== 'palette') await walk.undoDelete();
    });
  }

  describe('without a connection', () => {
    const addsConnection = ({ command }: Contribution): number => Number(command === 'gridData.startSandbox');
    for (const contribution of [...available].sort((a, b) => addsConnection(a) - addsConnection(b)))
      testPress(contribution);
  });

  describe('with a connection and no saved queries', () => {
    before(async () => {
      await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
      await walk.resultPage();
      // With high limits the walk never waits for the rate limit.
      await setLimits(workbench, 'Canned', '1000/60', 'System state', 'Grid stress');
      await dismissAll(workbench);
    });
    for (const contribution of welcomeLinks) testPress(contribution);
  });

  describe('with saved queries and runs', () => {
    before(async () => {
      writeFileSync(join(folder, 'personal.json'), JSON.stringify(personal));
      await workbench.runCommand('Grid Data: Import Saved Queries…');
      await chooseFile(workbench, join(folder, 'personal.json'));
      await workbench.quickInput.pick('Personal');
      await waitForSavedNames(workbench, ['First', 'Middle', 'Fresh', 'Folder']);
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      writeFileSync(join(folder, '.vscode', 'grid-queries.json'), JSON.stringify(shared));
      await waitForSavedNames(workbench, ['First', 'Middle', 'Fresh', 'Folder', 'Shared']);
      await walk.run();
      await dismissAll(workbench);
    });
    for (const contribution of remaining.filter(
      contribution => contribution.kind !== 'view title' && !usesResult(contribution),
    ))
      testPress(contribution);
    describe('in a result', () => {
      before(() => (remainingTabs = 1));
      after(async () => {
        remainingTabs = 0;
        await dismissAll(workbench);
      });
      for (const contribution of remaining.filter(usesResult)) testPress(contribution);
    });
    describe('with the focus on a tree item', () => {
      beforeEach(async () => walk.focusLines());
      for (const contribution of remaining.filter(({ kind }) => kind === 'view title')) testPress(contribution);
    });
  });

  describe('in the page of a result', () => {
    let panel: PanelWalk;

    beforeEach(async () => {
      await walk.run();
      panel = new PanelWalk(workbench, () => service.receivedRequests.length);
    });

    // Each press has its own timeout. All of them take several minutes on a slow machine, and a test that Mocha has timed out would
    // continue to press in the next test's window.
    function testWalk(title: string, walkThrough: () => Promise<void>): void {
      it(title, walkThrough).timeout(15 * 60_000);
    }

    testWalk('runs every toolbar action of a result', async () => {
      const pressed = await panel.pressToolbar();
      for (const action of ['refresh', 'save', 'export'])
        assert.ok(
          pressed.some(contribution => contribution.includes(action)),
          action,
        );
    });

    testWalk('runs every menu action of a result', async () => {
      assert.ok((await panel.pressMenu()).length > 10);
    });

    testWalk('chooses every range of a result', async () => {
      assert.ok((await panel.pressMenu('[data-action=chooseRange]')).length > 10);
    });
  });

  it('covers every contribution of package.json', () => {
    const untested = tested.filter(
      contribution => ![...available, ...welcomeLinks, ...remaining].includes(contribution),
    );
    assert.deepEqual(untested.map(describeContribution), []);
  });

  describe('after all commands', () => {
    it('leaves no error in the log after all commands', async () => {
      await assertNoError(workbench);
      const logs = readdirSync(workbench.userDataDir, { recursive: true, encoding: 'utf8' }).filter(file =>
        /grid-data.*Grid Data\.log$/.test(file),
      );
      assert.ok(logs.length > 0);
      for (const file of logs)
        assert.doesNotMatch(readFileSync(join(workbench.userDataDir, file), 'utf8'), /\[error\]/);
    });
  });
});

function describeContribution({ kind, containerId, label, command }: Contribution): string {
  return `${kind} ${label} ${[containerId, command].filter(Boolean).join(' ')}`;
}
