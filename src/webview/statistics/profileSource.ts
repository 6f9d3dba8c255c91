import { t } from '@vscode/l10n';
import { hourMs } from '../../shared/durations.ts';
import { timesOfColumn } from '../../core/compare/compare.ts';
import type { Frame, NumberColumn, TimeColumn } from '../../shared/frame.ts';
import { isEnergyChange, unitOf } from '../../shared/units.ts';
import { pageScheduling } from '../scheduling.ts';
import type { Profile } from './columnDetail.ts';
import { dailyProfile, type HourOfDay, zoneHours } from './dailyProfile.ts';

interface ProfileInput {
  readonly frame: Frame;
  readonly rows: Uint32Array | undefined;
  /** The distance of the rows in milliseconds; undefined where it is unknown. */
  readonly step: number | undefined;
  readonly timeZone: string;
}

/** Computes the daily profile of the column requested last. `changed` is called when it is there. */
export class ProfileSource {
  readonly #input: ProfileInput;
  readonly #changed: () => void;
  /** The hour of each row: the same for all columns of the same times. */
  readonly #hours = new Map<TimeColumn, Uint8Array>();
  #column: NumberColumn | undefined;
  #profile: Profile | undefined;
  #run = 0;

  constructor(input: ProfileInput, changed: () => void) {
    this.#input = input;
    this.#changed = changed;
  }

  /** Starts the computation for a column, unless it is the one under way or done. */
  request(column: NumberColumn): void {
    if (column === this.#column) return;
    this.stop();
    this.#column = column;
    const time = timesOfColumn(this.#input.frame, column);
    if (time && this.#reason(column) === undefined) void this.#compute(column, time, this.#run);
  }

  /** The profile of a column as far as it is known. */
  profile(column: NumberColumn): Profile {
    const reason = this.#reason(column);
    if (reason !== undefined) return { state: 'none', reason };
    return (column === this.#column && this.#profile) || { state: 'computing' };
  }

  /** Cancels the computation under way. */
  stop(): void {
    this.#run++;
    this.#column = undefined;
    this.#profile = undefined;
  }

  #reason(column: NumberColumn): string | undefined {
    const { frame, step } = this.#input;
    if (!timesOfColumn(frame, column)) return t('No time column.');
    if (isEnergyChange(unitOf(column.field))) return t('Changes in percent are not averaged.');
    // The length of a single row is unknown: it counts for the hour in which it begins.
    return step === undefined || step <= hourMs ? undefined : t('It needs hourly data or finer.');
  }

  async #compute(column: NumberColumn, time: TimeColumn, run: number): Promise<void> {
    await pageScheduling.pause();
    if (run !== this.#run) return;
    this.#profile = { state: 'known', hours: this.#hoursOf(column, time) };
    this.#changed();
  }

  #hoursOf(column: NumberColumn, time: TimeColumn): readonly HourOfDay[] {
    const hours = this.#hours.get(time) ?? zoneHours(time, this.#input.timeZone);
    this.#hours.set(time, hours);
    return dailyProfile(column, hours, this.#input.rows);
  }
}
