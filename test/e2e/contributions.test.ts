import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { ContributionWalk, usesResult } from './contributionWalk.ts';
import { allContributions, asked, type Contribution } from './harness/contributions.ts';
import { activate, dismissAll, noError } from './harness/activation.ts';
import { answerHours } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { startWorkbench } from './harness/start.ts';
import type { Workbench } from './harness/workbench.ts';
import { PanelWalk } from './panelWalk.ts';
import { chooseFile, openSaved, waitNames } from './savedSupport.ts';
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

/** What a condition asks for that no first window has. */
const later = [
  ...['hasSaved', 'hasWatched', 'hasAlerts', 'hasRecent', 'savedFilter', 'canUndoDelete', 'stressPinned'],
  ...['sampleDataRunning', 'board'],
].map(name => `gridData.${name}`);

const contributed = allContributions();
/** A press of these, or of a key outside of the views, gives the command as little as the palette does. */
const bare = ['view title', 'editor title', 'welcome link', 'walkthrough link'];
/** The palette is for commands that are nowhere else, and for those that a tree item's menu or key gives its item. */
const all = contributed.filter(
  ({ place, command }) =>
    place !== 'palette' ||
    !contributed.some(
      other => other.command === command && (bare.includes(other.place) || (other.place === 'key' && !other.where)),
    ),
);
const early = all.filter(isEarly);
const welcomes = all.filter(one => one.place === 'welcome link' && !early.includes(one));
const others = all.filter(
  one =>
    one.place !== 'welcome link' &&
    !(one.place === 'walkthrough link' && early.includes(one)) &&
    asked(one.when).get('gridData.noConnection') !== true,
);

/** Whether it is there before there is a connection. */
function isEarly({ place, command, when }: Contribution): boolean {
  const names = asked(when);
  if (place === 'status bar' || place === 'key' || place.startsWith('line')) return false;
  if (names.get('gridData.noConnection') === false || names.has('activeWebviewPanelId')) return false;
  if (later.some(name => names.get(name) === true)) return false;
  // Sample data brings a connection: the one that is only there before comes last.
  return command !== 'gridData.startSandbox' || names.get('gridData.noConnection') === true || place === 'welcome link';
}

describe('every command contributed to the workbench', () => {
  let workbench: Workbench;
  let service: CannedService;
  const folder = temporaryFolder();
  let walk: ContributionWalk;

  before(async () => {
    service = await startCannedService(answerHours);
    workbench = await startWorkbench({ folder, viewport: { width: 1400, height: 1000 } });
    walk = new ContributionWalk(workbench);
    await openSaved(workbench);
  });
  endsAfter(() => [workbench, service]);
  let keptTabs = 0;
  afterEach(async () => dismissAll(workbench, keptTabs));

  function presses(contribution: Contribution, title = titleOf(contribution)): void {
    it(`acts without an error: ${title}`, async () => {
      await walk.prepare(contribution);
      await activate(
        workbench,
        title,
        async () => walk.press(contribution),
        () => service.seen.length,
      );
      const { command, place } = contribution;
      // From the palette it asks what to delete.
      if (command === 'gridData.deleteSavedItem' && place !== 'palette') await walk.undoDelete();
    });
  }

  describe('without a connection', () => {
    const isLast = ({ command }: Contribution): number => Number(command === 'gridData.startSandbox');
    for (const one of [...early].sort((a, b) => isLast(a) - isLast(b))) presses(one);
  });

  describe('with a connection and no saved queries', () => {
    before(async () => {
      await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Canned');
      await walk.resultPage();
      // The walk waits for no budget.
      await setLimits(workbench, 'Canned', '1000/60', 'System state', 'Grid stress');
      await dismissAll(workbench);
    });
    for (const one of welcomes) presses(one);
  });

  describe('with saved queries and runs', () => {
    before(async () => {
      writeFileSync(join(folder, 'personal.json'), JSON.stringify(personal));
      await workbench.runCommand('Grid Data: Import Saved Queries…');
      await chooseFile(workbench, join(folder, 'personal.json'));
      await workbench.quickInput.pick('Personal');
      await waitNames(workbench, ['First', 'Middle', 'Fresh', 'Folder']);
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      writeFileSync(join(folder, '.vscode', 'grid-queries.json'), JSON.stringify(shared));
      await waitNames(workbench, ['First', 'Middle', 'Fresh', 'Folder', 'Shared']);
      await walk.run();
      await dismissAll(workbench);
    });
    for (const one of others.filter(one => one.place !== 'view title' && !usesResult(one))) presses(one);
    describe('in a result', () => {
      before(() => (keptTabs = 1));
      after(async () => {
        keptTabs = 0;
        await dismissAll(workbench);
      });
      for (const one of others.filter(usesResult)) presses(one);
    });
    describe('with the focus on a tree item', () => {
      beforeEach(async () => walk.focusLines());
      for (const one of others.filter(({ place }) => place === 'view title')) presses(one);
    });
  });

  describe('in the page of a result', () => {
    let panel: PanelWalk;

    beforeEach(async () => {
      await walk.run();
      panel = new PanelWalk(workbench, () => service.seen.length);
    });

    // Each press has its own time limit. All of them take several minutes on a slow machine, and a walk that Mocha gives up
    // goes on pressing in the window of the next test.
    function walks(title: string, walkThrough: () => Promise<void>): void {
      it(title, walkThrough).timeout(30 * 60_000);
    }

    walks('runs every toolbar action of a result', async () => {
      const pressed = await panel.toolbar();
      for (const action of ['refresh', 'save', 'export'])
        assert.ok(
          pressed.some(one => one.includes(action)),
          action,
        );
    });

    walks('runs every menu action of a result', async () => {
      assert.ok((await panel.menu()).length > 10);
    });

    walks('chooses every range of a result', async () => {
      assert.ok((await panel.menu('[data-action=chooseRange]')).length > 10);
    });
  });

  it('covers every contribution of package.json', () => {
    const left = all.filter(one => ![...early, ...welcomes, ...others].includes(one));
    assert.deepEqual(left.map(titleOf), []);
  });

  describe('after all commands', () => {
    it('leaves no error in the log after all commands', async () => {
      await noError(workbench);
      const logs = readdirSync(workbench.userDataDir, { recursive: true, encoding: 'utf8' }).filter(file =>
        /grid-data.*Grid Data\.log$/.test(file),
      );
      assert.ok(logs.length > 0);
      for (const file of logs)
        assert.doesNotMatch(readFileSync(join(workbench.userDataDir, file), 'utf8'), /\[error\]/);
    });
  });
});

function titleOf({ place, where, label, command }: Contribution): string {
  return `${place} ${label} ${[where, command].filter(Boolean).join(' ')}`;
}
