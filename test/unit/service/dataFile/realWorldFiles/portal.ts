import { every, lines, type RealWorldFile } from './realWorldFile.ts';

const sast = 'Africa/Johannesburg';
const threeHours = every(60, '2026-06-09T22:00Z', 3);

/** Files of the Eskom Data Portal, whose times are South African without a prompt. */
export const portalFiles: readonly RealWorldFile[] = [
  {
    title: 'Eskom: Station_Build_Up with unknown columns',
    name: 'Station_Build_Up.csv',
    content: lines(
      'Date_Time_Hour_Beginning,Thermal_Gen_Excl_Pumping_and_SCO,Eskom_OCGT_SCO_Pumping,Thermal_Generation,Nuclear_Generation,Wind,PV,Battery_Storage',
      '2026-06-10 00:00:00,17000,-1.5000000000000000,19000.5,640.125,500.5,0,',
      '2026-06-10 01:00:00,17111.125,-1.5,19097.75,640.12500000000000,,0,-12.5',
      '2026-06-10 02:00:00,,-1.25,19195,640.125,502.50000000000000,0,20',
    ),
    times: threeHours,
    columns: {
      Thermal_Gen_Excl_Pumping_and_SCO: [17000, 17111.125, null],
      Eskom_OCGT_SCO_Pumping: [-1.5, -1.5, -1.25],
      thermal_mw: [19000.5, 19097.75, 19195],
      nuclear_mw: [640.125, 640.125, 640.125],
      wind_mw: [500.5, null, 502.5],
      pv_mw: [0, 0, 0],
      Battery_Storage: [null, -12.5, 20],
    },
    units: { wind_mw: 'MW' },
    timeZone: sast,
  },
  {
    title: 'Eskom: DateTimeKey',
    name: 'System_hourly_actual_and_forecasted_demand.csv',
    content: lines(
      'DateTimeKey,Residual Forecast,RSA Contracted Forecast,Residual Demand,RSA Contracted Demand',
      '2024-10-21 00:00:00,,,20571.907999999999,21781.587',
      '2024-10-21 01:00:00,20000,21000,20111.5,21333.25',
    ),
    times: every(60, '2024-10-20T22:00Z', 2),
    columns: {
      residual_forecast_mw: [null, 20000],
      'RSA Contracted Forecast': [null, 21000],
      residual_demand_mw: [20571.908, 20111.5],
      'RSA Contracted Demand': [21781.587, 21333.25],
    },
    timeZone: sast,
  },
  {
    title: 'Eskom: weeks',
    name: 'Weekly_EAF.csv',
    content: lines(
      'Week Start Date,Weekly EAF,Weekly PCLF,Weekly UCLF,Weekly OCLF,Year,Fin_Year',
      '2024-02-05,55.25,15.2,28.4,1.3,2024,FY2024',
      '2024-02-12,54.9,15.0,,1.2,2024,FY2024',
    ),
    times: every(7 * 1440, '2024-02-04T22:00Z', 2),
    columns: {
      'Weekly EAF': [55.25, 54.9],
      'Weekly PCLF': [15.2, 15],
      'Weekly UCLF': [28.4, null],
      'Weekly OCLF': [1.3, 1.2],
      Year: [2024, 2024],
      Fin_Year: ['FY2024', 'FY2024'],
    },
    timeZone: sast,
  },
  {
    title: 'Eskom: weeks with day-first dates',
    name: 'Weekly_UCLF.csv',
    content: lines(
      'Week Start Date,Weekly EAF,Weekly UCLF',
      '22/01/2024,55.1,28.4',
      '29/01/2024,54.9,28.9',
      '05/02/2024,54,29',
    ),
    times: every(7 * 1440, '2024-01-21T22:00Z', 3),
    columns: { 'Weekly EAF': [55.1, 54.9, 54], 'Weekly UCLF': [28.4, 28.9, 29] },
    timeZone: sast,
    notes: [/day first/],
  },
  {
    title: 'Eskom: date and hour in two columns',
    content: lines(
      'Date_Time,Time_Hr,Wind,Residual Demand,Total RE',
      '2023-01-01,0,1500.25,20000.5,1600',
      '2023-01-01,1,1400,20100,1500',
      '2023-01-01,2,#N/A,20050,',
    ),
    times: every(60, '2022-12-31T22:00Z', 3),
    columns: {
      wind_mw: [1500.25, 1400, null],
      residual_demand_mw: [20000.5, 20100, 20050],
      total_re_mw: [1600, 1500, null],
    },
    timeZone: sast,
    notes: [/#N\/A/],
  },
  {
    title: 'Eskom: semicolons, decimal commas and a title, saved by a spreadsheet',
    content: `\uFEFF${['Hourly generation', '', 'Date Time Hour Beginning;Wind;PV;Total RE', '2023/01/31 22:00;1 500,25;0;1 600', '2023/01/31 23:00;1 400;0;1 500,5', ''].join('\r\n')}`,
    times: every(60, '2023-01-31T20:00Z', 2),
    columns: { wind_mw: [1500.25, 1400], pv_mw: [0, 0], total_re_mw: [1600, 1500.5] },
    timeZone: sast,
    notes: [/line/i],
  },
  {
    // The unquoted decimal comma makes a row wider than the heading, so that cells cannot be assigned to columns.
    title: 'Eskom: an unquoted decimal comma in a comma-separated file',
    content: lines(
      'Date Time Hour Beginning,Wind,PV,CSP',
      '2023-01-01 00:00:00,1500,0,0',
      '2023-01-01 01:00:00,1400,5,0,0',
      '2023-01-01 02:00:00,1300,0,0',
    ),
    refusal: /line 3/i,
  },
  {
    title: 'Eskom: the same hour twice',
    content: lines(
      'Date Time Hour Beginning,Wind,PV',
      '2023-01-01 00:00:00,1500,0',
      '2023-01-01 00:00:00,1500,0',
      '2023-01-01 01:00:00,1400,5',
    ),
    times: [...every(60, '2022-12-31T22:00Z', 1), ...every(60, '2022-12-31T22:00Z', 2)],
    columns: { wind_mw: [1500, 1500, 1400], pv_mw: [0, 0, 5] },
    timeZone: sast,
  },
  {
    title: 'Eskom: text in a column of numbers',
    content: lines(
      'Date Time Hour Beginning,Wind,PV,Comment',
      '2023-01-01 00:00:00,1500,0,estimated',
      '2023-01-01 01:00:00,1400,5,',
    ),
    times: every(60, '2022-12-31T22:00Z', 2),
    columns: { wind_mw: [1500, 1400], pv_mw: [0, 5], Comment: ['estimated', null] },
    timeZone: sast,
  },
];
