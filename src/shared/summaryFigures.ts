/**
 * What a summary says of each column: energy with its share of the total; mean and load factor; the lowest and the highest value with their times;
 * quantiles and standard deviation; rows without a value.
 */
export const summaryFigures = ['energy', 'mean', 'extremes', 'quantiles', 'gaps'] as const;
export type SummaryFigure = (typeof summaryFigures)[number];

/** What is asked most, and fits beside each other. */
export const initialFigures: readonly SummaryFigure[] = ['energy', 'mean', 'extremes'];
