import { t } from '@vscode/l10n';
import { countCells, findCell, timeSlices, type CellPlace, type ShownCells } from '../rows/findCell.ts';
import type { FindModel } from './findBar.ts';

/** Matches beyond so many are not counted. */
const mostCounted = 1_000;

export interface FinderHost {
  readonly cells: () => ShownCells;
  /** Where the person is. */
  readonly from: () => CellPlace | undefined;
  readonly goTo: (place: CellPlace) => void;
  readonly close: () => void;
  readonly render: () => void;
  readonly locale: () => string;
}

/** Looks for a text in the table, a slice at a time: the page stays responsive, and a newer search ends the older one. */
export class Finder {
  private readonly host: FinderHost;
  private running = new AbortController();
  private open = false;
  private text = '';
  private found = '';

  constructor(host: FinderHost) {
    this.host = host;
  }

  get model(): FindModel {
    const { open, text, found } = this;
    return {
      ...{ open, text, found },
      change: typed => this.change(typed),
      next: backwards => void this.next(backwards),
      close: () => this.end(),
    };
  }

  show(): void {
    this.open = true;
    this.host.render();
    this.again();
  }

  /** Other cells are shown: what was found of those before them says nothing. */
  again(): void {
    if (this.open && this.text !== '') void this.count();
  }

  private change(text: string): void {
    this.text = text;
    void this.count();
  }

  private end(): void {
    this.running.abort();
    this.open = false;
    this.host.render();
    this.host.close();
  }

  private async next(backwards: boolean): Promise<void> {
    const signal = this.begin();
    const { host, text } = this;
    const place = await findCell(host.cells(), text, host.from(), backwards, slices(signal), host.locale());
    if (signal.aborted) return;
    if (place) host.goTo(place);
    else this.say(text === '' ? '' : t('No results'));
  }

  private async count(): Promise<void> {
    const signal = this.begin();
    const { host, text } = this;
    if (text === '') {
      this.say('');
      return;
    }
    const count = await countCells(host.cells(), text, mostCounted, slices(signal), host.locale());
    if (count === undefined || signal.aborted) return;
    if (count === 0) this.say(t('No results'));
    else this.say(count === mostCounted ? t('{0} or more', mostCounted) : t('{0} found', count));
  }

  private begin(): AbortSignal {
    this.running.abort();
    this.running = new AbortController();
    return this.running.signal;
  }

  private say(found: string): void {
    this.found = found;
    this.host.render();
  }
}

function slices(signal: AbortSignal) {
  return timeSlices(
    () => performance.now(),
    () => new Promise(resolve => setTimeout(resolve)),
    signal,
  );
}
