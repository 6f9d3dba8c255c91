import type { AxeResults } from 'axe-core';
import type { HostMessage, PageMessage } from '../../../src/shared/protocol.ts';
import type { FakeHostApi } from './fakeHostApi.ts';
import { expectedValue } from './frames.ts';
import { states } from './states.ts';
import type { StateName } from './states.ts';

declare global {
  interface Window {
    host: FakeHostApi;
    locale?: string;
    strings?: Record<string, string>;
    axe?: { run(): Promise<AxeResults> };
  }
}

const stateKey = 'fake-host-state';
const savedKey = 'fake-saved-state';
const posted: PageMessage[] = [];
const violations: string[] = [];
const settings: { refusal: string | undefined; silent: boolean } = { refusal: undefined, silent: false };

const send = (message: HostMessage) => window.postMessage(message, '*');
const frame = () => new Promise(requestAnimationFrame);
const task = () => new Promise(resolve => setTimeout(resolve));
const scroller = () => document.querySelector('.grid-scroller') as HTMLElement;

window.host = {
  posted: () => posted,
  troubles: () => [...violations, ...posted.flatMap(sent => (sent.type === 'pageError' ? [sent.message] : []))],
  async show(name) {
    sessionStorage.setItem(stateKey, name);
    const state = states[name]();
    const start = performance.now();
    send({ type: 'state', state });
    await task();
    await frame();
    await task();
    return performance.now() - start;
  },
  refuse: sentence => void (settings.refusal = sentence),
  keepSilent: () => void (settings.silent = true),
  sendBroken: () => send({ type: 'state', state: { ...states.table(), frame: null } } as unknown as HostMessage),
  expectedValue,
  cellText: (row, column) =>
    document.querySelector(`[aria-rowindex="${row + 2}"]:not([hidden]) [aria-colindex="${column + 1}"]:not([hidden])`)
      ?.textContent ?? null,
  focused() {
    const cell = document.activeElement;
    const row = cell?.closest('[aria-rowindex]');
    return cell && row ? [Number(row.ariaRowIndex) - 2, Number(cell.ariaColIndex) - 1] : null;
  },
  rowsInView() {
    const view = document.querySelector('.grid-body')?.getBoundingClientRect().top ?? 0;
    const bottom = scroller().getBoundingClientRect().top + scroller().clientHeight;
    const rows = [...document.querySelectorAll('.grid-row:not([hidden])')]
      .filter(row => row.getBoundingClientRect().bottom > view + 1 && row.getBoundingClientRect().top < bottom - 1)
      .map(row => Number(row.ariaRowIndex) - 2);
    return [Math.min(...rows), Math.max(...rows)];
  },
  gridElements: () => document.querySelectorAll('.grid *').length,
  async scrollThrough(frames) {
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
  async scrollTo(fraction) {
    scroller().scrollTop = (scroller().scrollHeight - scroller().clientHeight) * fraction;
    await frame();
    await frame();
  },
  async axe() {
    const { violations: found } = (await window.axe?.run()) ?? { violations: [] };
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
  },
};

function answer(message: PageMessage): void {
  posted.push(message);
  if (message.type === 'ready') {
    send({ type: 'init', locale: window.locale ?? 'en', strings: window.strings });
    const name = sessionStorage.getItem(stateKey) as StateName | null;
    if (name) send({ type: 'state', state: states[name]() });
  }
  const isAct = message.type === 'act';
  if (isAct && settings.silent) return;
  const error = isAct ? settings.refusal : undefined;
  send({ type: 'reply', id: message.id, ...(error !== undefined && { error }) });
}

document.addEventListener('securitypolicyviolation', event =>
  violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
);
Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: answer,
    getState: () => JSON.parse(sessionStorage.getItem(savedKey) ?? 'null') as unknown,
    setState: (state: unknown) => sessionStorage.setItem(savedKey, JSON.stringify(state)),
  }),
});
