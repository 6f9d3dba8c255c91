// Sets up each library as its documentation recommends for many rows or points. The libraries' scripts define the globals.
/* global agGrid, Slick, uPlot, echarts */
import { chartFrames } from '../../view/page/chartFrames.ts';
import { systemFrame } from '../../view/page/frames.ts';

const container = () => document.querySelector('#container');
const formatInstant = ms => new Date(ms).toISOString();

/** Returns the panel's million rows as objects, which both grids use, and the column names. */
function createRows() {
  const { rowCount, columns } = systemFrame(1_000_000, 20);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
  return [rows, columns.map(({ name }) => name)];
}

/** Returns the time column and three number columns of the chart's million hours. */
const chartColumns = () => chartFrames.million().columns.slice(0, 4);

window.createWidget = {
  /** Creates a grid. `window.sort` sorts it by a column: ascending (1), descending (-1) or not at all (0). */
  agGrid({ rowHeight, width }) {
    const [rowData, names] = createRows();
    const time = { valueFormatter: ({ value }) => formatInstant(value) };
    const columnDefs = names.map(field => ({ field, width, ...(field === 'ts' && time) }));
    const grid = agGrid.createGrid(container(), { rowData, columnDefs, rowHeight, animateRows: false });
    window.sort = (column, direction) => {
      const state = [{ colId: names[column], sort: { 1: 'asc', '-1': 'desc', 0: null }[direction] }];
      grid.applyColumnState({ state, defaultState: { sort: null } });
    };
  },
  slickGrid({ rowHeight, width }) {
    const [rows, names] = createRows();
    const time = { formatter: (row, cell, value) => formatInstant(value) };
    const columns = names.map(field => ({ id: field, name: field, field, width, ...(field === 'ts' && time) }));
    const grid = new Slick.Grid(container(), rows, columns, { rowHeight });
    window.sort = (column, direction) => {
      const name = names[column];
      grid.setData(direction === 0 ? rows : rows.toSorted((a, b) => direction * (a[name] - b[name])));
      grid.invalidate();
    };
  },
  /** Prepares a chart. `window.draw` draws it, and `window.zoom` shows the middle share of it. */
  uPlot() {
    const [time, ...lines] = chartColumns();
    const { clientWidth: width, clientHeight: height } = container();
    const colors = ['red', 'green', 'blue'];
    const series = [{}, ...lines.map(({ name }, index) => ({ label: name, stroke: colors[index] }))];
    // uPlot's times are in seconds.
    const data = [time.values.map(ms => ms / 1000), ...lines.map(({ values }) => values)];
    let plot;
    window.draw = () => (plot = new uPlot({ width, height, series }, data, container()));
    window.zoom = share => {
      const [first, last] = [data[0][0], data[0].at(-1)];
      const margin = ((1 - share) / 2) * (last - first);
      plot.setScale('x', { min: first + margin, max: last - margin });
    };
  },
  eCharts() {
    const columns = chartColumns();
    const source = new Float64Array(columns[0].values.length * columns.length);
    columns.forEach(({ values }, column) =>
      values.forEach((value, row) => (source[row * columns.length + column] = value)),
    );
    const line = { type: 'line', showSymbol: false, sampling: 'minmax' };
    const option = {
      animation: false,
      dataset: { source, dimensions: columns.map(({ name }) => name) },
      xAxis: { type: 'time' },
      yAxis: { type: 'value', scale: true },
      dataZoom: { type: 'inside' },
      legend: {},
      series: columns.slice(1).map(({ name }) => ({ ...line, name, encode: { x: 'ts', y: name } })),
    };
    let chart;
    window.draw = () => {
      chart = echarts.init(container());
      chart.setOption(option);
    };
    window.zoom = share => chart.dispatchAction({ type: 'dataZoom', start: 50 - 50 * share, end: 50 + 50 * share });
  },
};
