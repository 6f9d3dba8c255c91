/**
 * The figures of a summary: energy with its share of the total; mean and load factor; minimum and maximum with their times; quantiles and
 * standard deviation; rows without a value.
 */
export const summaryFigures = ['energy', 'mean', 'extremes', 'quantiles', 'gaps'] as const;
export type SummaryFigure = (typeof summaryFigures)[number];

/** The most used figures, which fit side by side. */
export const initialSummaryFigures: readonly SummaryFigure[] = ['energy', 'mean', 'extremes'];
