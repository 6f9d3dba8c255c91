import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../../scripts/paths.ts';
import { runStep } from '../../scripts/steps.ts';
import { command, type Machine } from './engine.ts';

const folder = join(cache, 'engines');
const stamp = join(folder, '.complete');
const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
const python = join(bin, process.platform === 'win32' ? 'python.exe' : 'python');
const system = process.platform === 'win32' ? 'python' : 'python3';

/**
 * Makes the virtual environment with the packages of requirements.txt, Spark only where it is used. Returns why there is none
 * (no Python, no package index that answers, or not to the end); throws an Error where it cannot be made.
 */
export async function installPackages(usesSpark: boolean): Promise<Omit<Machine, 'folder'> | string> {
  const pinned = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8')
    .trim()
    .split('\n');
  const wanted = pinned.filter(line => usesSpark || !line.startsWith('pyspark'));
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : [];
  if (wanted.every(line => installed.includes(line))) return { python, bin };
  const isOld = await command(system, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).then(
    () => false,
    () => true,
  );
  if (isOld) return 'there is no Python 3.11 or newer';
  // What is there of other versions is not mixed with these.
  if (installed.some(line => !pinned.includes(line))) rmSync(folder, { recursive: true, force: true });
  const step = { cwd: import.meta.dirname, log: 'engines.log' };
  if (!existsSync(python))
    await runStep({ ...step, title: 'Making a virtual environment', command: system, args: ['-m', 'venv', folder] });
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input'];
  const answers = await command(python, [...pip, '--retries', '0', '--timeout', '30', 'index', 'versions', 'pip']).then(
    () => true,
    () => false,
  );
  if (!answers) return 'the Python Package Index does not answer';
  console.log('Installing Python packages, which takes minutes …');
  try {
    await runStep({
      ...step,
      title: 'Installing Python packages',
      command: python,
      args: [...pip, 'install', ...wanted],
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  writeFileSync(stamp, wanted.join('\n'));
  return { python, bin };
}
