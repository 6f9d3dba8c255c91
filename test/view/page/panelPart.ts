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
import { shownTable } from '../../../src/presentation/export/shownExport.ts';
import { reportSection } from '../../../src/presentation/report/reportSection.ts';
import { expectedValue } from './frames.ts';
import { scroller } from './gridEyes.ts';
import { states, type StateName } from './states.ts';

const stateKey = 'fake-host-state';
const savedKey = 'fake-saved-state';

/** The whole panel, and a host that is not real: its side of the protocol, for tests to call. The second time it is emptied. */
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
  let silence = Promise.withResolvers<undefined>();
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
        if (settings.silent) await silence.promise;
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
  /** Resolves once the page has handled all that was sent to it: messages come in their order, and this one it does not know. */
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
  /** Ends what a result of before still waits for, such as a chart that comes to rest: it would save how that result was looked at. */
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
    /** Makes the page as it is when it has just been opened: what is shown next gets the focus. */
    async empty() {
      const app = document.getElementById('app');
      if (!app) throw new Error('The page has no #app.');
      // A person leaves the page, which closes what is open, and it forgets what had the focus.
      app.tabIndex = -1;
      app.focus();
      app.blur();
      app.removeAttribute('tabindex');
      window.dispatchEvent(new Event('blur'));
      silence.resolve(undefined);
      silence = Promise.withResolvers();
      sessionStorage.removeItem(stateKey);
      sessionStorage.removeItem(savedKey);
      initialize();
      // Nothing that could have the focus; and a notice goes with the kind of what is shown.
      const nothing = { title: '', header: [], sentence: '', actions: [] };
      void send('state', { ...nothing, view: 'empty', tools: { range: '', interval: '', actions: [] } });
      void send('state', { ...nothing, view: 'error' });
      await received();
      endTimers();
      // A person comes back: what is shown next gets the focus.
      window.dispatchEvent(new Event('focus'));
      await task();
      sessionStorage.removeItem(savedKey);
      for (const noted of [acts, troubles, shownViews, instants]) noted.length = 0;
      response = Promise.withResolvers();
      Object.assign(settings, { refusal: undefined, silent: false });
    },
    /** The actions that the page asked for, in order. */
    acts: () => acts,
    /** Gives the page the response that it asked for, or will. */
    respond(given: RawResponse) {
      response.resolve(given);
      response = Promise.withResolvers();
      response.resolve(given);
    },
    /** Shows the rows as a saved query does. */
    view: async (view: SerializedView) => messenger.request('view', view),
    shownViews: () => shownViews,
    question: async (question: Readonly<Record<string, unknown>>) => {
      void send('question', question);
      await received();
    },
    link: async (isLinked: boolean) => {
      void send('question', { board: 'personal/f', ...(!isLinked && { unlinked: true }) });
      await received();
    },
    /** Where the page said that the person points, in order; null for nowhere. */
    instants: () => instants,
    /** Moves the mouse a hundred times across the chart within a frame; where the page then said that the person points. */
    async sweep() {
      const area = document.querySelector('.chart-area');
      const { x, y, width } = area?.getBoundingClientRect() ?? new DOMRect();
      const before = instants.length;
      for (let step = 0; step <= 100; step++)
        area?.dispatchEvent(new MouseEvent('mousemove', { clientX: x + (step / 100) * width, clientY: y + 50 }));
      await frame();
      await frame();
      return instants.slice(before);
    },
    /** Resolves some frames later. */
    async frames() {
      for (let n = 0; n < 3; n++) await frame();
    },
    /** The person points there in another panel; null for nowhere. */
    async point(instant: number | null) {
      void send('point', instant === null ? {} : { instant });
      await received();
      await frame();
      await frame();
    },
    /** The report of what is shown, as a host makes it of the view that the page has reported. */
    readReport: () => {
      const shown = shownPanel();
      return shown && reportSection(shown.state, shown.view, 'en');
    },
    /** The table of the open tab, likewise. */
    readTable: async () => {
      const shown = shownPanel();
      const table = shown && shownTable(shown, shown.state.frame, 'en');
      if (!table) return undefined;
      const { analysis, columns, isChanged, chart, frame } = table;
      const selection = await messenger.request('readSelection', undefined);
      return { analysis, columns, isChanged, chart, rowCount: frame.rowCount, selection };
    },
    /** Shows a state, now and after each `ready`; the milliseconds until its first frame was drawn. */
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
    /** The next actions are refused with the sentence. */
    refuse: (sentence: string | undefined) => void (settings.refusal = sentence),
    /** Leaves actions without an answer. */
    keepSilent: () => void (settings.silent = true),
    /** A message of a form that no host sends. */
    sendBroken: () => void send('state', { ...states.table(), frame: null } as unknown as ViewState),
    expectedValue,
    /** 95th percentile and longest of the milliseconds between frames while scrolling through everything. */
    async scrollThrough(frames: number): Promise<readonly [number, number]> {
      const gaps: number[] = [];
      const way = scroller().scrollHeight - scroller().clientHeight;
      let last = performance.now();
      for (let step = 0; step < frames; step++) {
        scroller().scrollTop = (way * ((step * 37) % frames)) / frames;
        await frame();
        gaps.push(performance.now() - last);
        last = performance.now();
      }
      gaps.sort((a, b) => a - b);
      return [gaps[Math.floor(gaps.length * 0.95)] ?? 0, gaps.at(-1) ?? 0];
    },
    /** Moves the scrollbar to a fraction of its way. */
    async scrollTo(fraction: number) {
      scroller().scrollTop = (scroller().scrollHeight - scroller().clientHeight) * fraction;
      await frame();
      await frame();
    },
  };
}
