import { describeRun } from './describeRun.ts';

describeRun('curl');
describeRun('typeScript');
