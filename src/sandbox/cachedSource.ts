import type { GridHour } from './gridHour.ts';
import type { HourSource } from './source.ts';

/** About a year of hours, 6 MB: twice as many at most are kept. */
const hoursKept = 8_784;

/** Keeps the hours asked for of late: to make one up takes longer than to send it. */
export class CachedSource implements HourSource {
  readonly identity: string;
  readonly kind: HourSource['kind'];
  readonly note: string;
  readonly notices: readonly string[];
  readonly firstHour: number;
  readonly endHour: number;
  readonly #source: HourSource;
  #recent = new Map<number, GridHour | undefined>();
  #older = new Map<number, GridHour | undefined>();

  constructor(source: HourSource) {
    this.identity = source.identity;
    this.kind = source.kind;
    this.note = source.note;
    this.notices = source.notices;
    this.firstHour = source.firstHour;
    this.endHour = source.endHour;
    this.#source = source;
  }

  hour(hour: number): GridHour | undefined {
    const known = this.#recent.get(hour);
    if (known || this.#recent.has(hour)) return known;
    const found = this.#older.has(hour) ? this.#older.get(hour) : this.#source.hour(hour);
    if (this.#recent.size >= hoursKept) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(hour, found);
    return found;
  }
}
