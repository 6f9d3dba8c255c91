import { t } from '@vscode/l10n';
import { sampleDataMark } from '../../core/query/serviceMeta.ts';

const longest = 80;

/**
 * The name of a file for a picture of a result, with what every file system takes: "System state - last 7 days - hourly.png". That of
 * Sample Data says so, once: a title mostly ends with its name.
 */
export function pictureName(title: string, format: 'png' | 'svg', isSample = false): string {
  const name = [title, t('chart')].map(safe).find(name => name !== '') ?? 'chart';
  return `${isSample ? `${withoutMark(name)} ${sampleDataMark}`.trim() : name}.${format}`;
}

function withoutMark(name: string): string {
  const marks = [sampleDataMark, safe(t('Sample Data'))].map(mark => mark.toLowerCase());
  const mark = marks.find(one => name.toLowerCase().endsWith(one)) ?? '';
  return name.slice(0, name.length - mark.length).replace(/[ -]+$/, '');
}

/** Letters lose their accents; what then is no letter, digit, point or bracket becomes a dash. */
function safe(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const dashed = plain.replace(/[^\w .()-]+/g, '-').replace(/\s+/g, ' ');
  // Neither hidden nor ending in what some systems drop.
  const trim = (name: string): string => name.replace(/^[ .-]+|[ .-]+$/g, '');
  return trim(trim(dashed).slice(0, longest));
}
