import { takeRows } from '../../core/frame/clip.ts';
import { withoutHidden } from '../../core/inertText.ts';
import { columnBuffers, dictionaryOf, withEntries, type Column, type Frame } from '../../shared/frame.ts';
import type { Messenger } from '../../shared/messenger.ts';
import {
  type DisplayZone,
  type HeaderPart,
  type HostMethods,
  type PageMethods,
  type QueryTools,
  type SettledState,
  type TableState,
  type ViewState,
  namedState,
} from '../../shared/protocol.ts';

/** More rows than fit on any screen, and few enough to be carried over at once. */
const headRows = 200;
/** Fewer rows are sent in one message: two would not be faster. */
const longTable = 2000;

/**
 * Sends a page what it shows, and again after it was hidden, moved or reloaded. The first rows of a long table are sent ahead, so
 * that they are read while the rest is on its way.
 */
export class WebviewStatePublisher {
  readonly #page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>;
  #state: ViewState;
  /** The rows that stay on the page while it loads: a page that comes back needs them first. */
  #content: SettledState | undefined;
  #ready = false;
  /** Set while the first rows are on their way: what is shown by then follows them. */
  #ahead: object | undefined;

  constructor(state: ViewState, page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>) {
    this.#state = withPlainWords(state);
    this.#page = page;
  }

  /** What the page shows, or showed before it loads other rows; undefined while that is a part of a result. */
  get settled(): SettledState | undefined {
    const [state, content] = [this.#state, this.#content];
    const isPart = state.view === 'loading' && state.content === 'partial';
    const isHead = content?.view === 'table' && content.isHead;
    return isPart || isHead ? undefined : content;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  show(given: ViewState): void {
    const state = withPlainWords(given);
    const isFirst = this.#content?.view !== 'table';
    // First rows are shown only where nothing is yet.
    if (state.view === 'table' && state.isHead && !isFirst) return;
    this.#state = state;
    if (state.view !== 'loading') this.#content = state;
    if (!this.#ready || this.#ahead) return;
    const head = isFirst ? headOf(state) : undefined;
    if (head) this.#sendAhead(head);
    else this.#send(state);
  }

  /** The same rows in another zone: only texts change. */
  showZone(zone: DisplayZone, given: readonly HeaderPart[]): void {
    const header = plain(given);
    const moved = <State extends ViewState>(state: State): State =>
      state.view === 'table' ? { ...state, zone, header } : state;
    this.#state = moved(this.#state);
    this.#content &&= moved(this.#content);
    if (this.#ready) void this.#page.notify('zone', { zone, header });
  }

  /** The same answer to a query that is called otherwise. What can be done with it stays. */
  showNames(...given: [title: string, named: Omit<QueryTools, 'actions'>]): void {
    const [title, named] = plain(given);
    this.#state = namedState<ViewState>(this.#state, title, named);
    this.#content &&= namedState<SettledState>(this.#content, title, named);
    if (this.#ready) void this.#page.notify('names', { title, named });
  }

  /** A page is up and has nothing. */
  pageReady(): void {
    this.#ready = true;
    this.#ahead = undefined;
    this.#sendAll();
  }

  #sendAhead(head: ViewState): void {
    const ahead = (this.#ahead = {});
    const follow = (): void => {
      // Another page has come up meanwhile: it has all of it.
      if (this.#ahead !== ahead) return;
      this.#ahead = undefined;
      this.#sendAll();
    };
    this.#send(head).then(follow, follow);
  }

  #sendAll(): void {
    if (this.#content && this.#state.view === 'loading') void this.#send(this.#content);
    void this.#send(this.#state);
  }

  #send(state: ViewState): PromiseLike<unknown> {
    return this.#page.notify('state', state.view === 'table' ? withFewBuffers(state) : state);
  }
}

/** What of a state is as it was received. */
const received = ['frame', 'history', 'coverage', 'compared', 'text'];

/** The state with the words around its answer plain: names from outside stand among them. */
function withPlainWords(state: ViewState): ViewState {
  const parts = Object.entries<unknown>(state).map(([name, value]) => [
    name,
    received.includes(name) ? value : plain(value),
  ]);
  return Object.fromEntries(parts) as ViewState;
}

/** A copy without characters that hide words or turn them around. */
function plain<T>(value: T): T {
  if (typeof value === 'string') return withoutHidden(value) as T & string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain) as T & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)])) as T & object;
}

/** The state with its first rows alone; undefined for one that is not worth two ways. */
function headOf(state: ViewState): ViewState | undefined {
  if (state.view !== 'table' || state.frame.rowCount < longTable) return undefined;
  const rows = Uint32Array.from({ length: headRows }, (_, row) => row);
  // Copies: of a part of a column the whole column would be sent.
  const { columns } = takeRows(state.frame, rows);
  const { history: _, ...rest } = state;
  return { ...rest, frame: { rowCount: headRows, columns: columns.map(withOwnTexts) }, isHead: true };
}

/** Without the texts that only later rows have. */
function withOwnTexts(column: Column): Column {
  const texts = dictionaryOf(column);
  if (!texts) return column;
  // Mostly texts are numbered as they first appear.
  const last = texts.codes.reduce((most, code) => Math.max(most, code), 0);
  return withEntries(column, texts.entries.slice(0, last + 1));
}

type Numbers = Float64Array | Uint32Array | Uint8Array;

/**
 * VS Code counts the parts of a message to a page in one byte: of more than about 250 buffers the rest is lost without a word. What goes
 * beside the frame takes a dozen.
 */
const mostBuffers = 200;
/** Numbers of any kind may begin at its multiples. */
const alignment = 8;

/** The same state; where its rows lie in too many buffers, with copies in one for each frame. */
function withFewBuffers(state: TableState): TableState {
  const { frame, history } = state;
  const columns = [...frame.columns, ...(history?.columns ?? [])];
  if (new Set(columns.flatMap(columnBuffers)).size <= mostBuffers) return state;
  return { ...state, frame: inOneBuffer(frame), ...(history && { history: inOneBuffer(history) }) };
}

function inOneBuffer(frame: Frame): Frame {
  let size = 0;
  eachColumn(frame, numbers => {
    size += roomFor(numbers);
    return numbers;
  });
  const all = new ArrayBuffer(size);
  let at = 0;
  return eachColumn(frame, numbers => {
    const copy = viewLike(numbers, all, at);
    copy.set(numbers);
    at += roomFor(numbers);
    return copy;
  });
}

function eachColumn(frame: Frame, change: (numbers: Numbers) => Numbers): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => withNumbers<Column>(column, change)) };
}

/** A column with other numbers in the places of its own, those of its dictionary among them. */
function withNumbers<T>(part: T, change: (numbers: Numbers) => Numbers): T {
  if (isNumbers(part)) return change(part) as T & Numbers;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, withNumbers<unknown>(inner, change)]),
  ) as T & object;
}

function isNumbers(part: unknown): part is Numbers {
  return part instanceof Float64Array || part instanceof Uint32Array || part instanceof Uint8Array;
}

function viewLike(numbers: Numbers, all: ArrayBuffer, at: number): Numbers {
  if (numbers instanceof Float64Array) return new Float64Array(all, at, numbers.length);
  if (numbers instanceof Uint32Array) return new Uint32Array(all, at, numbers.length);
  return new Uint8Array(all, at, numbers.length);
}

function roomFor({ byteLength }: Numbers): number {
  return Math.ceil(byteLength / alignment) * alignment;
}
