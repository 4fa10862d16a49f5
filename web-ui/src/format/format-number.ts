const groupSeparator = '\u202F';
/** By the count of decimals: one takes as long to make as to format a hundred numbers. */
const formats = new Map<number, Intl.NumberFormat>();

/** A number with a fixed count of decimals, thousands set apart by a thin space, a true minus sign: `2 314`, `−0.8`. */
export function formatNumber(value: number, decimals = 0): string {
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
    });
    formats.set(decimals, format);
  }
  return format.format(value).replaceAll(',', groupSeparator).replace('-', '−');
}
