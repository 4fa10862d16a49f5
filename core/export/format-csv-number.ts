/** From here on, nine digits would be fewer than four decimals. */
const manyDigits = 1e5;

/**
 * A number as every exported CSV writes it: four decimals, which is 0.1 µs where it is milliseconds, or nine digits where that is more. Clocks are not
 * finer; what a double adds beyond (`1264.4000000000233`) is not measured. JSON and bundles have the numbers as they are.
 */
export function formatCsvNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(Math.abs(value) < manyDigits ? value.toPrecision(9) : value.toFixed(4)));
}
