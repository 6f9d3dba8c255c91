import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { GridError } from '../../src/core/errors.ts';
import { ErrorBoundary } from '../../src/host/messages/errorBoundary.ts';
import { InputError, UnavailableError } from '../../src/host/inputError.ts';

describe('the error boundary', () => {
  const { showInformationMessage, showErrorMessage } = vscode.window;
  let messages: [kind: 'information' | 'error', message: string, ...buttons: string[]][];
  let logged: unknown[];
  let executed: string[];
  let boundary: ErrorBoundary;

  beforeEach(() => {
    [messages, logged, executed] = [[], [], []];
    const createFake =
      (kind: 'information' | 'error') =>
      async (message: string, ...buttons: { title: string }[]): Promise<unknown> => {
        messages.push([kind, message, ...buttons.map(({ title }) => title)]);
        return Promise.resolve(buttons[0]);
      };
    const fakes = { showInformationMessage: createFake('information'), showErrorMessage: createFake('error') };
    Object.assign(vscode.window, fakes);
    boundary = new ErrorBoundary({ logError: error => logged.push(error), execute: command => executed.push(command) });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInformationMessage, showErrorMessage });
  });

  it('explains what is missing, with a button that creates it', async () => {
    await boundary.report(new UnavailableError('Nothing there.', { title: 'Make It', command: 'gridData.test.next' }));
    assert.deepEqual(messages, [['information', 'Nothing there.', 'Make It']]);
    assert.deepEqual([executed, logged], [['gridData.test.next'], []]);
  });

  it('explains that there is no connection yet', async () => {
    await boundary.report(new GridError('noConnection'));
    assert.deepEqual(
      messages.map(([kind, , ...buttons]) => [kind, ...buttons]),
      [['information', 'Add Connection', 'Open Sample Data']],
    );
    assert.deepEqual(executed, ['gridData.addConnection']);
  });

  it('shows an unexpected failure as an error', async () => {
    await boundary.report(new InputError('Not like this.'));
    await boundary.report(new GridError('cancelled'));
    const fault = new Error('inside');
    await boundary.report(fault);
    assert.deepEqual(
      messages.map(([kind]) => kind),
      ['error', 'error'],
    );
    assert.deepEqual(logged, [fault]);
  });
});
