// Sets up each library as its documentation advises for many rows or points. The libraries are globals that their own scripts make.
/* global agGrid, Slick, uPlot, echarts */
import { chartFrames } from '../../view/page/chartFrames.ts';
import { systemFrame } from '../../view/page/frames.ts';

const place = () => document.querySelector('#place');
const instant = ms => new Date(ms).toISOString();

/** The panel's table of a million rows as objects, which both grids take, and the names of its columns. */
function objects() {
  const { rowCount, columns } = systemFrame(1_000_000, 20);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  );
  return [rows, columns.map(({ name }) => name)];
}

/** The time and three columns of the chart's million hours. */
const points = () => chartFrames.million().columns.slice(0, 4);

window.others = {
  /** Makes a grid; sorts it by a column, ascending (1), descending (-1) or not at all (0), as its arrow in the header does. */
  agGrid({ rowHeight, width }) {
    const [rowData, names] = objects();
    const time = { valueFormatter: ({ value }) => instant(value) };
    const columnDefs = names.map(field => ({ field, width, ...(field === 'ts' && time) }));
    const grid = agGrid.createGrid(place(), { rowData, columnDefs, rowHeight, animateRows: false });
    window.sort = (column, direction) => {
      const state = [{ colId: names[column], sort: { 1: 'asc', '-1': 'desc', 0: null }[direction] }];
      grid.applyColumnState({ state, defaultState: { sort: null } });
    };
  },
  slickGrid({ rowHeight, width }) {
    const [rows, names] = objects();
    const time = { formatter: (row, cell, value) => instant(value) };
    const columns = names.map(field => ({ id: field, name: field, field, width, ...(field === 'ts' && time) }));
    const grid = new Slick.Grid(place(), rows, columns, { rowHeight });
    window.sort = (column, direction) => {
      const name = names[column];
      grid.setData(direction === 0 ? rows : rows.toSorted((a, b) => direction * (a[name] - b[name])));
      grid.invalidate();
    };
  },
  /** Makes the points of a chart; draws them, and the middle share of them. */
  uPlot() {
    const [time, ...lines] = points();
    const { clientWidth: width, clientHeight: height } = place();
    const colours = ['red', 'green', 'blue'];
    const series = [{}, ...lines.map(({ name }, index) => ({ label: name, stroke: colours[index] }))];
    // It takes seconds.
    const data = [time.values.map(ms => ms / 1000), ...lines.map(({ values }) => values)];
    let plot;
    window.draw = () => (plot = new uPlot({ width, height, series }, data, place()));
    window.zoom = share => {
      const [first, last] = [data[0][0], data[0].at(-1)];
      const cut = ((1 - share) / 2) * (last - first);
      plot.setScale('x', { min: first + cut, max: last - cut });
    };
  },
  eCharts() {
    const columns = points();
    const source = new Float64Array(columns[0].values.length * columns.length);
    columns.forEach(({ values }, at) => values.forEach((value, row) => (source[row * columns.length + at] = value)));
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
      chart = echarts.init(place());
      chart.setOption(option);
    };
    window.zoom = share => chart.dispatchAction({ type: 'dataZoom', start: 50 - 50 * share, end: 50 + 50 * share });
  },
};
