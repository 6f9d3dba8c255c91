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

/** More rows than fit on any screen, and few enough to transfer at once. */
const headRows = 200;
/** Tables with fewer rows are sent in one message, because two would not be faster. */
const longTable = 2000;

/**
 * Sends the state to a page, and again after the page was hidden, moved or reloaded. The first rows of a long table are sent
 * ahead, so that the person can read them while the rest is transferred.
 */
export class WebviewStatePublisher {
  readonly #page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>;
  #state: ViewState;
  /** The content that stays on the page while newer rows load. A page that becomes visible again needs it first. */
  #content: SettledState | undefined;
  #ready = false;
  /** Set while the first rows are being sent. The latest state follows them. */
  #ahead: object | undefined;

  constructor(state: ViewState, page: Pick<Messenger<HostMethods, PageMethods>, 'notify'>) {
    this.#state = withPlainWords(state);
    this.#page = page;
  }

  /** The complete content that the page shows, also while newer rows load; undefined while it shows a part of a result. */
  get settled(): SettledState | undefined {
    const [state, content] = [this.#state, this.#content];
    const isPart = state.view === 'loading' && state.content === 'partial';
    const isHead = content?.view === 'table' && content.isHead;
    return isPart || isHead ? undefined : content;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  show(viewState: ViewState): void {
    const state = withPlainWords(viewState);
    const isFirst = this.#content?.view !== 'table';
    // The first rows of a table do not replace a table that is already displayed.
    if (state.view === 'table' && state.isHead && !isFirst) return;
    this.#state = state;
    if (state.view !== 'loading') this.#content = state;
    if (!this.#ready || this.#ahead) return;
    const head = isFirst ? headOf(state) : undefined;
    if (head) this.#sendAhead(head);
    else this.#send(state);
  }

  /** Shows the same rows in another time zone; only texts change. */
  showZone(zone: DisplayZone, parts: readonly HeaderPart[]): void {
    const header = plain(parts);
    const inZone = <State extends ViewState>(state: State): State =>
      state.view === 'table' ? { ...state, zone, header } : state;
    this.#state = inZone(this.#state);
    this.#content &&= inZone(this.#content);
    if (this.#ready) void this.#page.notify('zone', { zone, header });
  }

  /** Updates the names of the query. The result and the offered actions stay. */
  showNames(panelTitle: string, texts: Omit<QueryTools, 'actions'>): void {
    const title = plain(panelTitle);
    const named = plain(texts);
    this.#state = namedState<ViewState>(this.#state, title, named);
    this.#content &&= namedState<SettledState>(this.#content, title, named);
    if (this.#ready) void this.#page.notify('names', { title, named });
  }

  /** Sends everything to a page that has just loaded. */
  pageReady(): void {
    this.#ready = true;
    this.#ahead = undefined;
    this.#sendAll();
  }

  #sendAhead(head: ViewState): void {
    const ahead = (this.#ahead = {});
    const follow = (): void => {
      // Another page has loaded in the meantime, and has received everything.
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

/** The members of a state that hold received data, which is not changed. */
const received = ['frame', 'history', 'coverage', 'compared', 'text'];

/** Removes hidden characters from the texts of a state, which contain names from outside. Received data stays as it is. */
function withPlainWords(state: ViewState): ViewState {
  const parts = Object.entries<unknown>(state).map(([name, value]) => [
    name,
    received.includes(name) ? value : plain(value),
  ]);
  return Object.fromEntries(parts) as ViewState;
}

/** Returns a copy without characters that hide text or reverse its direction. */
function plain<T>(value: T): T {
  if (typeof value === 'string') return withoutHidden(value) as T & string;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain) as T & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)])) as T & object;
}

/** Returns the state with its first rows only; undefined if it is small enough for one message. */
function headOf(state: ViewState): ViewState | undefined {
  if (state.view !== 'table' || state.frame.rowCount < longTable) return undefined;
  const rows = Uint32Array.from({ length: headRows }, (_, row) => row);
  // Copies the rows, because a subarray would transfer the whole column.
  const { columns } = takeRows(state.frame, rows);
  const { history: _, ...rest } = state;
  return { ...rest, frame: { rowCount: headRows, columns: columns.map(withOwnTexts) }, isHead: true };
}

/** Removes the dictionary entries that only later rows use. */
function withOwnTexts(column: Column): Column {
  const texts = dictionaryOf(column);
  if (!texts) return column;
  // Entries are usually numbered in the order in which they first appear.
  const last = texts.codes.reduce((max, code) => Math.max(max, code), 0);
  return withEntries(column, texts.entries.slice(0, last + 1));
}

type Numbers = Float64Array | Uint32Array | Uint8Array;

/**
 * The maximum number of buffers in a message. VS Code counts the parts of a message to a webview in one byte and silently drops
 * those beyond about 250; the parts outside the frame take about a dozen.
 */
const mostBuffers = 200;
/** Every typed array can begin at a multiple of this many bytes. */
const alignment = 8;

/** Copies the columns into one buffer per frame if the state has too many buffers for one message. */
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
  const buffer = new ArrayBuffer(size);
  let offset = 0;
  return eachColumn(frame, numbers => {
    const copy = viewLike(numbers, buffer, offset);
    copy.set(numbers);
    offset += roomFor(numbers);
    return copy;
  });
}

function eachColumn(frame: Frame, change: (numbers: Numbers) => Numbers): Frame {
  return { rowCount: frame.rowCount, columns: frame.columns.map(column => withNumbers<Column>(column, change)) };
}

/** Replaces every typed array in a column, including those of its dictionary. */
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

function viewLike(numbers: Numbers, buffer: ArrayBuffer, offset: number): Numbers {
  if (numbers instanceof Float64Array) return new Float64Array(buffer, offset, numbers.length);
  if (numbers instanceof Uint32Array) return new Uint32Array(buffer, offset, numbers.length);
  return new Uint8Array(buffer, offset, numbers.length);
}

function roomFor({ byteLength }: Numbers): number {
  return Math.ceil(byteLength / alignment) * alignment;
}
