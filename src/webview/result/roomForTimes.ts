/** CSS pixels. */
const twoTimes = 520;

/** Whether an element is too narrow for two columns of time before the numbers. */
export function isNarrow({ clientWidth }: HTMLElement): boolean {
  return clientWidth < twoTimes;
}
