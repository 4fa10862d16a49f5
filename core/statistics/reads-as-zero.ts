/** Whether a positive number would read as zero with so many decimals. */
export function readsAsZero(value: number, decimals: number): boolean {
  return value > 0 && value < 10 ** -decimals / 2;
}
