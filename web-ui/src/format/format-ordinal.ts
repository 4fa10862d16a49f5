const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** `1st`, `2nd`, `3rd`, `4th`. */
export function formatOrdinal(value: number): string {
  return `${value}${suffixes[rules.select(value)] ?? 'th'}`;
}
