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

/** Mounts the whole panel with a fake host, whose side of the protocol tests can call. Later calls reset the panel. */
export async function mountPanel(_place: Element, troubles: string[]): Promise<ReturnType<typeof startPanel>> {
  await (panel?.empty() ?? (panel = startPanel(troubles)).started);
  return panel;
}
let panel: ReturnType<typeof startPanel> | undefined;

function startPanel(troubles: string[]) {
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
      pageError: ({ message }) => void troubles.push(message),
    },
    error => void troubles.push(String(error)),
  );
  const send: typeof messenger.notify = async (...call) => messenger.notify(...call);
  const initialize = () => void send('init', window.settings);
  let shownState: ViewState | undefined;
  const shownPanel = () =>
    shownState?.view === 'table' ? { state: shownState, view: parseView(shownViews.at(-1)) } : undefined;
  let marks = 0;
  /** Resolves once the page has handled all messages: they arrive in order, and the page ignores this last one. */
  const received = () =>
    new Promise<void>(resolve => {
      const mark = `mark ${++marks}`;
      const listen = ({ data }: MessageEvent<unknown>) => {
        if (data !== mark) return;
        window.removeEventListener('message', listen);
        resolve();
      };
      window.addEventListener('message', listen);
      window.postMessage(mark, '*');
    });
  let endedTimers = 0;
  /** Cancels the timers of the previous result, such as that of an idle chart, which would save its view. */
  function endTimers(): void {
    const last = setTimeout(() => undefined);
    while (endedTimers < Number(last)) clearTimeout(++endedTimers);
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
    /** Resets the page to its initial state, in which the next content gets the focus. */
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
      // These states have nothing focusable, and a notice disappears when the kind of state changes.
      const nothing = { title: '', header: [], sentence: '', actions: [] };
      void send('state', { ...nothing, view: 'empty', tools: { range: '', interval: '', actions: [] } });
      void send('state', { ...nothing, view: 'error' });
      await received();
      endTimers();
      // Simulates the user returning, so that the next content gets the focus.
      window.dispatchEvent(new Event('focus'));
      await task();
      sessionStorage.removeItem(savedKey);
      for (const recorded of [acts, troubles, shownViews, instants]) recorded.length = 0;
      response = Promise.withResolvers();
      Object.assign(settings, { refusal: undefined, silent: false });
    },
    /** The actions that the page requested, in order. */
    acts: () => acts,
    /** Sends the raw response that the page requests, now or later. */
    respond(given: RawResponse) {
      response.resolve(given);
      response = Promise.withResolvers();
      response.resolve(given);
    },
    /** Applies a view, as a saved query does. */
    view: async (view: SerializedView) => messenger.request('view', view),
    shownViews: () => shownViews,
    question: async (question: Readonly<Record<string, unknown>>) => {
      void send('persistState', question);
      await received();
    },
    link: async (isLinked: boolean) => {
      void send('persistState', { board: 'personal/f', ...(!isLinked && { unlinked: true }) });
      await received();
    },
    /** The instants that the page reported under the pointer, in order; null for none. */
    instants: () => instants,
    /** Moves the mouse a hundred times across the chart within a frame. Returns the instants that the page then reported. */
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
    /** Resolves some frames later. */
    async frames() {
      for (let n = 0; n < 3; n++) await frame();
    },
    /** Simulates pointing at an instant in another panel; null for none. */
    async point(instant: number | null) {
      void send('point', instant === null ? {} : { instant });
      await received();
      await frame();
      await frame();
    },
    /** Creates the report from the view that the page has reported, as the host does. */
    readReport: () => {
      const panelState = shownPanel();
      return panelState && createReportSection(panelState.state, panelState.view, 'en');
    },
    /** Reads the table of the open tab from the reported view, as the host does. */
    readTable: async () => {
      const panelState = shownPanel();
      const table = panelState && createTabTable(panelState, panelState.state.frame, 'en');
      if (!table) return undefined;
      const { analysis, columns, isChanged, chart, frame } = table;
      const selection = await messenger.request('readSelection', undefined);
      return { analysis, columns, isChanged, chart, rowCount: frame.rowCount, selection };
    },
    /** Shows a state, now and after each reload. Returns the milliseconds until its first frame was drawn. */
    async show(name: StateName) {
      sessionStorage.setItem(stateKey, name);
      const state = states[name]();
      shownState = state;
      const start = performance.now();
      void send('state', state);
      await received();
      await frame();
      await task();
      return performance.now() - start;
    },
    async rename(title: string, named: Omit<QueryTools, 'actions'>) {
      void send('names', { title, named });
      await received();
    },
    /** Makes the next actions fail with the sentence. */
    refuse: (sentence: string | undefined) => void (settings.refusal = sentence),
    /** Leaves actions without a reply. */
    keepSilent: () => void (settings.silent = true),
    /** Sends a state with an invalid form. */
    sendBroken: () => void send('state', { ...states.table(), frame: null } as unknown as ViewState),
    expectedValue,
    /** Scrolls through everything. Returns the 95th percentile and the maximum of the milliseconds between frames. */
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
