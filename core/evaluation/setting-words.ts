/**
 * What people read of a setting, in the editor and in reports. It stands beside the schema of its family, so that both call it the same.
 * Bounds, choices and defaults are those of the schema.
 */
export interface SettingWords<Value = unknown> {
  label: string;
  /** After a number. */
  unit?: string;
  /** What is shown and typed for each 1 that is stored: 100 for a ratio in percent. */
  scale?: number;
  /** What holds where nothing is written, if the schema has no default. */
  byDefault?: string;
  /** What may be written, shown in the empty field instead of what holds without it. */
  example?: string;
  /** Below the field. */
  help?: string;
  /** Of a choice, in the editor: what each is called, where it is not called by its name. */
  choices?: Partial<Record<string, string>>;
  /** Values that are offered while one types. */
  suggestions?: readonly string[];
  /** A value in a report; without it, the value and its unit. */
  show?: (value: Value) => string;
}

/** The words of each setting of a family; the compiler reports one that has none. */
export type WordsOf<Settings extends object> = {
  [Name in keyof Required<Settings>]: SettingWords<NonNullable<Settings[Name]>>;
};

/** The settings of a family in the order of their words: what each is called, what it is, and in words. */
export function listWords<Settings extends object>(
  settings: Settings,
  words: WordsOf<Settings>,
): { name: string; value: unknown; words: string }[] {
  return (Object.keys(words) as (keyof Settings & string)[]).map((name) => {
    const { label, byDefault = '' } = words[name];
    const value = settings[name];
    return { name: label, value, words: value == null ? byDefault : showValue(value, words[name]) };
  });
}

function showValue<Value>(value: Value, { unit, show }: SettingWords<Value>): string {
  if (show) return show(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return unit === undefined ? String(value) : `${String(value)} ${unit}`;
}
