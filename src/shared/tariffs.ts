/** The hours of a kind of day, each `06:00-09:00` by SAST, the end not included; all others are off-peak. */
export interface TariffDay {
  readonly peak?: readonly string[];
  readonly standard?: readonly string[];
}

export const tariffDays = ['weekday', 'saturday', 'sunday'] as const;
export type TariffDayName = (typeof tariffDays)[number];
type TariffSeason = Readonly<Record<TariffDayName, TariffDay>>;

/** When electricity is charged at peak, standard and off-peak rates: plain data, as in the setting `gridData.tariffPeriods`. */
export interface Tariff {
  /** The first day, such as `2025-04-01`, by SAST; it holds until the next one begins. */
  readonly from: string;
  /** Who publishes it, for people. */
  readonly source: string;
  /** June to August. */
  readonly highDemand: TariffSeason;
  /** September to May. */
  readonly lowDemand: TariffSeason;
  /** Dates that count as another kind of day than by the rule for public holidays. */
  readonly days?: Readonly<Record<string, TariffDayName>>;
}
