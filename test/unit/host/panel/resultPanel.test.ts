import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type * as code from 'vscode';
import { Uri } from '../../../support/fakeVscode.ts';

const { ResultPanel } = await import('../../../../src/host/panel/resultPanel.ts');

interface Posted {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly namesExport?: boolean };
}

/** A panel that records each document that it loads. */
class FakePanel {
  readonly documents: string[] = [];
  readonly posted: Posted[] = [];
  visible = true;
  emitMessage: (message: unknown) => void = () => undefined;
  close: () => void = () => undefined;
  moved: () => void = () => undefined;
  readonly webview = {
    cspSource: 'csp',
    options: {},
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: (react: (message: unknown) => void) => (this.emitMessage = react),
    postMessage: async (message: unknown) => {
      this.posted.push(message as Posted);
      return Promise.resolve(true);
    },
  };

  constructor() {
    const write = (html: string): void => void this.documents.push(html);
    Object.defineProperty(this.webview, 'html', { set: write });
  }

  onDidChangeViewState(react: () => void): void {
    this.moved = react;
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.moved();
  }

  onDidDispose(react: () => void): void {
    this.close = react;
  }
}

describe('the panel of a result', () => {
  let panel: FakePanel;
  let hasExported: boolean;
  const minute = 60_000;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    panel = new FakePanel();
    hasExported = false;
    let nonces = 0;
    const deps = {
      extensionUri: new Uri('/extension') as unknown as code.Uri,
      newNonce: () => String(nonces++),
      hasExported: () => hasExported,
      logError: (line: string) => assert.fail(line),
    };
    const state = {
      view: 'loading',
      title: 'A',
      detail: '',
      content: 'none',
      actions: [],
      tools: { actions: [] },
      header: [],
    };
    const content = { state, question: () => ({}), handlers: {} } as unknown as ConstructorParameters<
      typeof ResultPanel
    >[1];
    new ResultPanel(deps, content, panel as unknown as code.WebviewPanel);
  });
  afterEach(() => mock.timers.reset());

  it('reloads a page that does not load, as a new document, a few times', () => {
    assert.equal(panel.documents.length, 1);
    for (const [seconds, documents] of [
      [14, 1],
      [1, 2],
      [30, 3],
      [60, 4],
      [3600, 4],
    ] as const) {
      mock.timers.tick(seconds * 1000);
      assert.equal(panel.documents.length, documents);
    }
    assert.equal(new Set(panel.documents).size, 4);
  });

  it('does not reload a page that has loaded', async () => {
    panel.emitMessage({ method: 'ready' });
    await replyToInit();
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 1);
  });

  it('reloads a page that reports that it is ready but does not reply', async () => {
    panel.emitMessage({ method: 'ready' });
    mock.timers.tick(15_000);
    assert.equal(panel.documents.length, 2);
    panel.emitMessage({ method: 'ready' });
    await replyToInit();
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 2);
  });

  it('reloads a page that does not load when its panel becomes visible again', async () => {
    panel.emitMessage({ method: 'ready' });
    await replyToInit();
    panel.show(false);
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 1);
    panel.show(true);
    mock.timers.tick(14_000);
    // An event without a change of visibility, such as a change of focus.
    panel.moved();
    mock.timers.tick(1000);
    assert.equal(panel.documents.length, 2);
    panel.emitMessage({ method: 'ready' });
    await replyToInit();
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 2);
  });

  /** Replies to the first request, as the page that was loaded last does. */
  async function replyToInit(): Promise<void> {
    const { id } = panel.posted.findLast(({ method }) => method === 'init') ?? assert.fail();
    panel.emitMessage({ reply: id, result: true });
    await new Promise(setImmediate);
  }

  it('sends each page that loads whether the user has exported before', () => {
    const getNamesExport = (): boolean | undefined => {
      panel.emitMessage({ method: 'ready' });
      return panel.posted.findLast(({ method }) => method === 'init')?.params?.namesExport;
    };
    assert.equal(getNamesExport(), true);
    hasExported = true;
    assert.equal(getNamesExport(), false);
  });

  it('reloads no page of a hidden or closed panel', () => {
    panel.visible = false;
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 1);
    panel.close();
    panel.visible = true;
    mock.timers.tick(30 * minute);
    assert.equal(panel.documents.length, 1);
  });
});
