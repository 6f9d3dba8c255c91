import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../../scripts/paths.ts';
import { runStep } from '../../scripts/steps.ts';
import { runCommand, type Machine } from './engine.ts';

const folder = join(cache, 'engines');
const stampFile = join(folder, '.complete');
const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
const python = join(bin, process.platform === 'win32' ? 'python.exe' : 'python');
const systemPython = process.platform === 'win32' ? 'python' : 'python3';

/**
 * Creates a virtual environment with the packages of requirements.txt; Spark is installed only if it is used. Returns the reason if
 * Python is missing or too old, the package index is unreachable, or the installation fails.
 * Throws an Error if the environment cannot be created.
 */
export async function installPackages(usesSpark: boolean): Promise<Omit<Machine, 'folder'> | string> {
  const pinnedPackages = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8')
    .trim()
    .split('\n');
  const requiredPackages = pinnedPackages.filter(line => usesSpark || !line.startsWith('pyspark'));
  const installed = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split('\n') : [];
  if (requiredPackages.every(line => installed.includes(line))) return { python, bin };
  const isPythonUnusable = await runCommand(systemPython, [
    '-c',
    'import sys; sys.exit(sys.version_info < (3, 11))',
  ]).then(
    () => false,
    () => true,
  );
  if (isPythonUnusable) return 'Python 3.11 or newer is not installed';
  // Replaces an environment with outdated packages.
  if (installed.some(line => !pinnedPackages.includes(line))) rmSync(folder, { recursive: true, force: true });
  const step = { cwd: import.meta.dirname, log: 'engines.log' };
  if (!existsSync(python))
    await runStep({
      ...step,
      title: 'Creating a virtual environment',
      command: systemPython,
      args: ['-m', 'venv', folder],
    });
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input'];
  const isIndexReachable = await runCommand(python, [
    ...pip,
    '--retries',
    '0',
    '--timeout',
    '30',
    'index',
    'versions',
    'pip',
  ]).then(
    () => true,
    () => false,
  );
  if (!isIndexReachable) return 'the Python Package Index does not respond';
  console.log('Installing Python packages, which takes minutes …');
  try {
    await runStep({
      ...step,
      title: 'Installing Python packages',
      command: python,
      args: [...pip, 'install', ...requiredPackages],
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  writeFileSync(stampFile, requiredPackages.join('\n'));
  return { python, bin };
}
