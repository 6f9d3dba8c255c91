// The reader: a separate process for reading untrusted data, which may take any time and memory. readerProcess.ts starts and ends it.
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MessageParser, writeMessage } from './messageStream.ts';
import type { ReaderJob } from './readerJobs.ts';

new Worker(join(import.meta.dirname, `memoryReports${extname(import.meta.filename)}`), { execArgv: [] });

// Loaded before the first job arrives.
const jobs = import('./readerJobs.ts');

const { stdin, stdout } = process;
const parser = new MessageParser(job => void run(job as ReaderJob));
stdin.on('data', (chunk: Buffer) => parser.push(chunk)).on('end', () => process.exit());

async function run(job: ReaderJob): Promise<void> {
  const { runJob } = await jobs;
  await runJob(job, async reply => writeMessage(stdout, reply));
}
