import { html, nothing } from 'lit';
import { timeColumnOf } from '../../core/frame/clip.ts';
import type { TemplateResult } from 'lit';
import { CoverageStrip } from '../coverage/coverageStrip.ts';
import type { ResultHost } from './tabParts.ts';
import type { TableState } from './rowModel.ts';

/** The strip over the tabs that shows what is there of each step; gone where that is not known. */
export class CoveragePart {
  readonly #locale: string;
  readonly #strip: CoverageStrip;
  #visible = false;
  /** Its place, while nothing is known yet: the table must not slip when it comes. */
  #expected = false;

  constructor({ locale, announce }: ResultHost, goTo: (instant: number) => string | undefined) {
    this.#locale = locale;
    this.#strip = new CoverageStrip({ goTo, announce });
  }

  show({ coverage, start, step, zone: shown, interval, frame, isHead }: TableState): void {
    this.#expected = isHead === true && step !== undefined;
    this.#visible = coverage !== undefined && step !== undefined;
    const locale = this.#locale;
    // Days are of their own zone, whichever is shown.
    const zone = timeColumnOf(frame)?.days ?? shown;
    const edges = coverage?.edges;
    this.#strip.show(
      coverage && step !== undefined ? { coverage, start, stepMs: step, edges, zone, locale, interval } : undefined,
    );
  }

  themeChanged(): void {
    this.#strip.themeChanged();
  }

  template(): TemplateResult | typeof nothing {
    if (this.#visible) return html`${this.#strip.element}`;
    return this.#expected ? html`<div class="coverage" aria-hidden="true"></div>` : nothing;
  }
}
