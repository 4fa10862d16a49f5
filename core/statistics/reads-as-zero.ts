/** Whether a positive number would read as zero with so many decimals. */
export function readsAsZero(value: number, decimals: number): boolean {
  return value > 0 && value < 10 ** -decimals / 2;
}

/** The decimals of a value that is shown with three digits or more: one of what reads as less than 100, else none. */
export const fewDecimals = (value: number) => (Math.abs(value) < 99.95 ? 1 : 0);
