import { t } from '@vscode/l10n';

const longest = 80;

/** The name of a file for a picture of a result, with what every file system takes: "System state - last 7 days - hourly.png". */
export function pictureName(title: string, format: 'png' | 'svg'): string {
  return `${[title, t('chart')].map(safe).find(name => name !== '') ?? 'chart'}.${format}`;
}

/** Letters lose their accents; what then is no letter, digit, point or bracket becomes a dash. */
function safe(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const dashed = plain.replace(/[^\w .()-]+/g, '-').replace(/\s+/g, ' ');
  // Neither hidden nor ending in what some systems drop.
  const trim = (name: string): string => name.replace(/^[ .-]+|[ .-]+$/g, '');
  return trim(trim(dashed).slice(0, longest));
}
