import { isExponential, numberFormatter } from './formatNumber.ts';

/** From this many of a unit on, an energy is written in the next larger one. */
const largest = 100_000;
const mwhDecimals = 3;
/** In all, of a larger unit: "18,522.6 GWh". */
const significantDigits = 6;

/** An energy in the unit in which it is written: MWh below 100,000 MWh, GWh below 100,000 GWh, else TWh. */
export function scaledEnergy(mwh: number): { readonly value: number; readonly unit: 'MWh' | 'GWh' | 'TWh' } {
  const size = Math.abs(mwh);
  if (!(size >= largest)) return { value: mwh, unit: 'MWh' };
  return size < largest * 1e3 ? { value: mwh / 1e3, unit: 'GWh' } : { value: mwh / 1e6, unit: 'TWh' };
}

/** Writes energies in MWh: those in MWh with up to three digits after the point, larger ones with six digits in all. */
export function energyFormatter(locale: string): (mwh: number) => string {
  const unusual = numberFormatter(locale, mwhDecimals);
  return mwh => {
    const { value, unit } = scaledEnergy(mwh);
    if (isExponential(value, mwhDecimals) || !Number.isFinite(value)) return `${unusual(value)} ${unit}`;
    const whole = Math.floor(Math.log10(Math.max(1, Math.abs(value)))) + 1;
    const format = new Intl.NumberFormat(locale, {
      maximumFractionDigits: unit === 'MWh' ? mwhDecimals : Math.max(0, significantDigits - whole),
      numberingSystem: 'latn',
      signDisplay: 'negative',
    });
    return `${format.format(value)} ${unit}`;
  };
}
