import { clipSteps, hasAllInstants } from '../core/clip.ts';
import { fitTogether, replaceByTimeSteps } from '../core/frames.ts';
import type { Span } from '../core/range/resolveRange.ts';
import { beside, overlap } from '../core/range/spans.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import { replacedBy, type Archive, type Kept, type KeptAnswer } from './archive.ts';
import { pausedSteps } from './pausedSteps.ts';

/** An answer that could not be kept, and the hours it is for. */
interface Held {
  readonly asked: Span;
  readonly answer: KeptAnswer;
}

/** What the archive below could not keep (switched off, full disk), by series, held in memory for as long as this is. */
export class HeldAnswers {
  readonly #held = new Map<string, Held[]>();

  /** The archive with what is held beside it. */
  over(archive: Pick<Archive, 'read' | 'merge'>): Pick<Archive, 'read' | 'merge'> {
    return {
      read: async (series, stepMs, span) => {
        const held = this.#held.get(seriesIdentity(series)) ?? [];
        let kept = await archive.read(series, stepMs, span);
        for (const one of held) kept = await joined(kept, one, span, stepMs);
        return kept;
      },
      merge: async (series, stepMs, asked, answer) => {
        const isKept = await archive.merge(series, stepMs, asked, answer);
        if (isKept) this.#release(series, asked);
        else this.#hold(series, { asked, answer });
        return isKept;
      },
    };
  }

  /** What the archive has by now is newer than what is held of the same hours. */
  #release(series: SeriesKey, kept: Span): void {
    const name = seriesIdentity(series);
    const rest = this.#held.get(name)?.flatMap(({ asked, answer }) => {
      const both = overlap(asked, kept);
      return (both.end > both.start ? beside(both, asked) : [asked]).map(span => ({ asked: span, answer }));
    });
    if (rest) this.#held.set(name, rest);
  }

  #hold(series: SeriesKey, held: Held): void {
    // Rows without an instant belong to no hour.
    if (!hasAllInstants(held.answer.frame)) return;
    const name = seriesIdentity(series);
    this.#held.set(name, [...(this.#held.get(name) ?? []), held]);
  }
}

async function joined(kept: Kept, { asked, answer }: Held, span: Span, stepMs: number): Promise<Kept> {
  const own = overlap(asked, span);
  if (own.end <= own.start) return kept;
  const { frame, meta, askedAt } = answer;
  if (!fitTogether([kept.frame, frame])) return kept;
  const isNewest = askedAt >= (kept.metaAskedAt ?? 0);
  const { frame: newer } = await pausedSteps(clipSteps(frame, own));
  return {
    frame: await pausedSteps(replaceByTimeSteps(kept.frame, newer, overlap(own, replacedBy(answer, asked)))),
    askedAt: kept.askedAt.map((before, step) => {
      const start = span.start + step * stepMs;
      return start >= own.start && start < own.end ? Math.max(before, askedAt) : before;
    }),
    ...{ meta: isNewest ? meta : kept.meta, metaAskedAt: isNewest ? askedAt : (kept.metaAskedAt ?? 0) },
  };
}
