import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { GridError } from '../../src/core/errors.ts';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import { InputError, UnavailableError } from '../../src/host/inputError.ts';

describe('the error boundary', () => {
  const { showInformationMessage, showErrorMessage } = vscode.window;
  let said: [kind: 'information' | 'error', sentence: string, ...buttons: string[]][];
  let logged: unknown[];
  let acted: string[];
  let boundary: ErrorBoundary;

  beforeEach(() => {
    [said, logged, acted] = [[], [], []];
    const answer =
      (kind: 'information' | 'error') =>
      async (sentence: string, ...buttons: { title: string }[]): Promise<unknown> => {
        said.push([kind, sentence, ...buttons.map(({ title }) => title)]);
        return Promise.resolve(buttons[0]);
      };
    const answers = { showInformationMessage: answer('information'), showErrorMessage: answer('error') };
    Object.assign(vscode.window, answers);
    boundary = new ErrorBoundary({ logError: error => logged.push(error), execute: command => acted.push(command) });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInformationMessage, showErrorMessage });
  });

  it('explains what is missing, with a button that creates it', async () => {
    await boundary.report(new UnavailableError('Nothing there.', { title: 'Make It', command: 'gridData.test.next' }));
    assert.deepEqual(said, [['information', 'Nothing there.', 'Make It']]);
    assert.deepEqual([acted, logged], [['gridData.test.next'], []]);
  });

  it('explains that there is no connection yet', async () => {
    await boundary.report(new GridError('noConnection'));
    assert.deepEqual(
      said.map(([kind, , ...buttons]) => [kind, ...buttons]),
      [['information', 'Add Connection', 'Open Sample Data']],
    );
    assert.deepEqual(acted, ['gridData.addConnection']);
  });

  it('shows an unexpected failure as an error', async () => {
    await boundary.report(new InputError('Not like this.'));
    await boundary.report(new GridError('cancelled'));
    const fault = new Error('inside');
    await boundary.report(fault);
    assert.deepEqual(
      said.map(([kind]) => kind),
      ['error', 'error'],
    );
    assert.deepEqual(logged, [fault]);
  });
});
