const groupSeparator = '\u202F';

/** A number with a fixed count of decimals, thousands set apart by a thin space, a true minus sign: `2 314`, `−0.8`. */
export function formatNumber(value: number, decimals = 0): string {
  const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: 'negative' });
  return format.format(value).replaceAll(',', groupSeparator).replace('-', '−');
}
