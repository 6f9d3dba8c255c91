/** An instant in UTC, such as 2023-05-03T06:00:00Z; the number itself where no calendar reaches. */
export function isoText(instant: number): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString().replace('.000Z', 'Z') : String(instant);
}
