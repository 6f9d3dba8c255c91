import { Messenger } from '../../../src/shared/messenger.ts';
import type {
  HostMethods,
  PageMethods,
  PanelAction,
  QueryTools,
  RawResponse,
  ViewState,
} from '../../../src/shared/protocol.ts';
import { parseView, type SerializedView } from '../../../src/shared/view.ts';
import { createTabTable } from '../../../src/presentation/export/tabExport.ts';
import { createReportSection } from '../../../src/presentation/report/reportSection.ts';
import { expectedValue } from './frames.ts';
import { scroller } from './gridReader.ts';
import { states, type StateName } from './states.ts';

const stateKey = 'fake-host-state';
const savedKey = 'fake-saved-state';

/** Mounts the whole panel with a fake host. Tests call the methods of the host. Later calls reset the panel. */
export async function mountPanel(_container: Element, errors: string[]): Promise<ReturnType<typeof startPanel>> {
  await (panel?.empty() ?? (panel = startPanel(errors)).started);
  return panel;
}
let panel: ReturnType<typeof startPanel> | undefined;

function startPanel(errors: string[]) {
  const acts: PanelAction[] = [];
  const shownViews: SerializedView[] = [];
  const instants: (number | null)[] = [];
  const started = Promise.withResolvers<undefined>();
  let response = Promise.withResolvers<RawResponse>();
  let pendingReply = Promise.withResolvers<undefined>();
  const settings: { refusal: string | undefined; silent: boolean } = { refusal: undefined, silent: false };

  const messenger = new Messenger<HostMethods, PageMethods>(
    message => window.postMessage(message, '*'),
    {
      ready: () => {
        initialize();
        const name = sessionStorage.getItem(stateKey) as StateName | null;
        if (name) void send('state', states[name]());
        started.resolve(undefined);
      },
      act: async ({ action }) => {
        acts.push(action);
        if (settings.silent) await pendingReply.promise;
        if (settings.refusal !== undefined) throw new Error(settings.refusal);
      },
      setZone: () => undefined,
      viewChanged: view => void shownViews.push(view),
      readResponse: async () => response.promise,
      tabOpened: () => undefined,
      pointed: ({ instant }) => void instants.push(instant ?? null),
      saveFile: () => undefined,
      pageError: ({ message }) => void errors.push(message),
    },
    error => void errors.push(String(error)),
  );
  const send: typeof messenger.notify = async (...call) => messenger.notify(...call);
  const initialize = () => void send('init', window.settings);
  let displayedState: ViewState | undefined;
  const getDisplayedPanel = () =>
    displayedState?.view === 'table' ? { state: displayedState, view: parseView(shownViews.at(-1)) } : undefined;
  let markCount = 0;
  /** Resolves once the page has handled all messages. They arrive in order, so it sends one more, which the page ignores. */
  const waitUntilHandled = () =>
    new Promise<void>(resolve => {
      const mark = `mark ${++markCount}`;
      const listen = ({ data }: MessageEvent<unknown>) => {
        if (data !== mark) return;
        window.removeEventListener('message', listen);
        resolve();
      };
      window.addEventListener('message', listen);
      window.postMessage(mark, '*');
    });
  let clearedTimerCount = 0;
  /** Cancels the timers of the previous result. For example, the timer of an idle chart would save its view. */
  function clearTimers(): void {
    const last = setTimeout(() => undefined);
    while (clearedTimerCount < Number(last)) clearTimeout(++clearedTimerCount);
  }
  const frame = () => new Promise(requestAnimationFrame);
  const task = () => new Promise(resolve => setTimeout(resolve));

  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => messenger.receive(message),
      getState: () => JSON.parse(sessionStorage.getItem(savedKey) ?? 'null') as unknown,
      setState: (state: unknown) => sessionStorage.setItem(savedKey, JSON.stringify(state)),
    }),
  });
  void import('../../../src/webview/main.ts');

  return {
    started: started.promise,
    /** Resets the page to its initial state. The next content gets the focus. */
    async empty() {
      const app = document.getElementById('app');
      if (!app) throw new Error('The page has no #app.');
      // Simulates the user leaving the page, which closes popups and clears the remembered focus.
      app.tabIndex = -1;
      app.focus();
      app.blur();
      app.removeAttribute('tabindex');
      window.dispatchEvent(new Event('blur'));
      pendingReply.resolve(undefined);
      pendingReply = Promise.withResolvers();
      sessionStorage.removeItem(stateKey);
      sessionStorage.removeItem(savedKey);
      initialize();
      // These states have no focusable element. A notice disappears when the kind of state changes, so both kinds are sent.
      const nothing = { title: '', header: [], sentence: '', actions: [] };
      void send('state', { ...nothing, view: 'empty', tools: { range: '', interval: '', actions: [] } });
      void send('state', { ...nothing, view: 'error' });
      await waitUntilHandled();
      clearTimers();
      // Simulates the user returning, so that the next content gets the focus.
      window.dispatchEvent(new Event('focus'));
      await task();
      sessionStorage.removeItem(savedKey);
      for (const recorded of [acts, errors, shownViews, instants]) recorded.length = 0;
      response = Promise.withResolvers();
      Object.assign(settings, { refusal: undefined, silent: false });
    },
    /** The actions that the page requested, in order. */
    acts: () => acts,
    /** Sets the raw response that the page receives on request, including a pending request. */
    respond(rawResponse: RawResponse) {
      response.resolve(rawResponse);
      response = Promise.withResolvers();
      response.resolve(rawResponse);
    },
    /** Applies a view, as opening a saved query does. */
    view: async (view: SerializedView) => messenger.request('view', view),
    shownViews: () => shownViews,
    persistState: async (persistedState: Readonly<Record<string, unknown>>) => {
      void send('persistState', persistedState);
      await waitUntilHandled();
    },
    link: async (isLinked: boolean) => {
      void send('persistState', { board: 'personal/f', ...(!isLinked && { unlinked: true }) });
      await waitUntilHandled();
    },
    /** The instants under the pointer that the page reported, in order; null if the pointer left the chart. */
    instants: () => instants,
    /** Dispatches a hundred mouse moves across the chart within one frame. Returns the instants that the page reported for them. */
    async sweep() {
      const area = document.querySelector('.chart-area');
      const { x, y, width } = area?.getBoundingClientRect() ?? new DOMRect();
      const previousCount = instants.length;
      for (let step = 0; step <= 100; step++)
        area?.dispatchEvent(new MouseEvent('mousemove', { clientX: x + (step / 100) * width, clientY: y + 50 }));
      await frame();
      await frame();
      return instants.slice(previousCount);
    },
    /** Waits for three frames. */
    async frames() {
      for (let n = 0; n < 3; n++) await frame();
    },
    /** Simulates the pointer at an instant in another panel; null if it is outside the chart. */
    async point(instant: number | null) {
      void send('point', instant === null ? {} : { instant });
      await waitUntilHandled();
      await frame();
      await frame();
    },
    /** Creates the report section from the reported view, as the host does. */
    readReport: () => {
      const displayedPanel = getDisplayedPanel();
      return displayedPanel && createReportSection(displayedPanel.state, displayedPanel.view, 'en');
    },
    /** Reads the table of the open tab from the reported view, as the host does. */
    readTable: async () => {
      const displayedPanel = getDisplayedPanel();
      const table = displayedPanel && createTabTable(displayedPanel, displayedPanel.state.frame, 'en');
      if (!table) return undefined;
      const { analysis, columns, isChanged, chart, frame } = table;
      const selection = await messenger.request('readSelection', undefined);
      return { analysis, columns, isChanged, chart, rowCount: frame.rowCount, selection };
    },
    /** Shows a state, now and after each reload. Returns the milliseconds until its first frame was drawn. */
    async show(name: StateName) {
      sessionStorage.setItem(stateKey, name);
      const state = states[name]();
      displayedState = state;
      const start = performance.now();
      void send('state', state);
      await waitUntilHandled();
      await frame();
      await task();
      return performance.now() - start;
    },
    async rename(title: string, named: Omit<QueryTools, 'actions'>) {
      void send('names', { title, named });
      await waitUntilHandled();
    },
    /** Makes the following actions fail with this message. */
    refuse: (sentence: string | undefined) => void (settings.refusal = sentence),
    /** Sends no reply to actions until the panel is reset. */
    keepSilent: () => void (settings.silent = true),
    /** Sends an invalid state. */
    sendBroken: () => void send('state', { ...states.table(), frame: null } as unknown as ViewState),
    expectedValue,
    /** Scrolls to positions across the whole table. Returns the 95th percentile and the maximum of the milliseconds between frames. */
    async scrollThrough(frames: number): Promise<readonly [number, number]> {
      const gaps: number[] = [];
      const scrollRange = scroller().scrollHeight - scroller().clientHeight;
      let last = performance.now();
      for (let step = 0; step < frames; step++) {
        scroller().scrollTop = (scrollRange * ((step * 37) % frames)) / frames;
        await frame();
        gaps.push(performance.now() - last);
        last = performance.now();
      }
      gaps.sort((a, b) => a - b);
      return [gaps[Math.floor(gaps.length * 0.95)] ?? 0, gaps.at(-1) ?? 0];
    },
    /** Moves the scrollbar to a fraction of its range. */
    async scrollTo(fraction: number) {
      scroller().scrollTop = (scroller().scrollHeight - scroller().clientHeight) * fraction;
      await frame();
      await frame();
    },
  };
}
