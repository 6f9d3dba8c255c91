import { t } from '@vscode/l10n';
import type { ColumnBadges } from './columnBadges.ts';

/** The field whose sign says whether output rose or fell since the hour before. */
export const rampField = 'ocgt_ramp_mw';

/** An arrow up or down beside a ramp; none where output stayed, but the same room. */
export function rampBadges(): ColumnBadges {
  const up = { text: '▲', tone: 'up', spoken: t('up') } as const;
  const down = { text: '▼', tone: 'down', spoken: t('down') } as const;
  const none = { text: ' ', tone: 'none' } as const;
  return {
    badges: [up, down, none],
    badgeOf: value => (value > 0 ? up : value < 0 ? down : none),
  };
}
