/** VS Code's own chart colours in the four themes; names as in themes.ts. */
export const chartTokens = {
  light: {
    '--vscode-charts-blue': '#0063d3',
    '--vscode-charts-orange': '#d18616',
    '--vscode-charts-green': '#388a34',
    '--vscode-charts-purple': '#652d90',
    '--vscode-charts-red': '#e51400',
    '--vscode-charts-yellow': '#bf8803',
  },
  dark: {
    '--vscode-charts-blue': '#59a4f9',
    '--vscode-charts-orange': '#d18616',
    '--vscode-charts-green': '#89d185',
    '--vscode-charts-purple': '#b180d7',
    '--vscode-charts-red': '#f14c4c',
    '--vscode-charts-yellow': '#cca700',
  },
  'hc-dark': {
    '--vscode-charts-blue': '#59a4f9',
    '--vscode-charts-orange': '#ab5a00',
    '--vscode-charts-green': '#89d185',
    '--vscode-charts-purple': '#b180d7',
    '--vscode-charts-red': '#f48771',
    '--vscode-charts-yellow': '#ffd370',
  },
  'hc-light': {
    '--vscode-charts-blue': '#0063d3',
    '--vscode-charts-orange': '#0f4a85',
    '--vscode-charts-green': '#374e06',
    '--vscode-charts-purple': '#652d90',
    '--vscode-charts-red': '#b5200d',
    '--vscode-charts-yellow': '#895503',
  },
} as const;
