/** The kinds of chart, in the order of their buttons. */
export const chartKinds = [
  'lines',
  'mix',
  'stress',
  'ramps',
  'heatmap',
  'overlay',
  'duration',
  'scatter',
  'error',
] as const;
export type ChartKind = (typeof chartKinds)[number];
