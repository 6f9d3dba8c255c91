import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { CoverageStrip } from '../coverage/coverageStrip.ts';
import type { ResultHost } from './resultHost.ts';
import type { TableState } from './shownRows.ts';

/** The strip over the tabs that shows what is there of each step; gone where that is not known. */
export class CoveragePart {
  private readonly locale: string;
  private readonly strip: CoverageStrip;
  private visible = false;

  constructor({ locale, announce }: ResultHost, goTo: (instant: number) => void) {
    this.locale = locale;
    this.strip = new CoverageStrip({ goTo, announce });
  }

  show({ coverage, start, step, zone, interval }: TableState): void {
    this.visible = coverage !== undefined && step !== undefined;
    const { locale } = this;
    this.strip.show(
      coverage && step !== undefined ? { coverage, start, stepMs: step, zone, locale, interval } : undefined,
    );
  }

  themeChanged(): void {
    this.strip.themeChanged();
  }

  template(): TemplateResult | typeof nothing {
    return this.visible ? html`${this.strip.element}` : nothing;
  }
}
