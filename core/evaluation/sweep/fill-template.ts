import { fillVariables, variablesIn, type VariableValue } from '../pages/variables.ts';
import { settingsOf, type TemplateFields, type PartialCombination, type Sweep, type SweptValue } from './sweep.ts';

/** Fields that stay texts, even where the variable in them is a number. */
const alwaysText: ReadonlySet<string> = new Set(['name', 'description', 'group']);

/** Where braces may belong to another language. */
export const foreignTexts: ReadonlySet<string> = new Set(['script', 'pac', 'description']);

/**
 * The Scenario that a template becomes with these values. A text that is a variable alone, such as `"{rateKbps}"`, becomes its value: a number stays a number.
 * In a script, `${name}` is left to the shell. The values are variables of the Scenario.
 */
export function fillTemplate(
  template: Readonly<Record<string, unknown>>,
  { baseline }: Pick<TemplateFields, 'baseline'>,
  combination: Combination,
): Record<string, unknown> {
  const { variables, ...settings } = settingsOf(template);
  const filled = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      alwaysText.has(key) && typeof value === 'string'
        ? fillVariables(value, combination)
        : fill(value, { combination, key }),
    ]),
  );
  return {
    ...filled,
    baseline: typeof baseline === 'boolean' ? baseline : fits(combination, baseline),
    variables: mergeVariables(fill(variables, { combination, key: 'variables' }), combination),
  };
}

/** Own variables after those of the sweep; what is no mapping stays, for the schema to refuse. */
function mergeVariables(own: unknown, combination: Combination): unknown {
  if (own !== undefined && (typeof own !== 'object' || own === null || Array.isArray(own))) return own;
  const swept = Object.entries(combination).map(([name, value]): [string, VariableValue] => [
    name,
    typeof value === 'boolean' ? String(value) : value,
  ]);
  return { ...Object.fromEntries(swept), ...own };
}

function fill(value: unknown, place: { combination: Combination; key: string }): unknown {
  const { combination, key } = place;
  if (typeof value === 'string') {
    if (foreignTexts.has(key)) return fillOutsideShell(value, combination);
    const [name] = variablesIn(value);
    if (name !== undefined && value === `{${name}}` && Object.hasOwn(combination, name)) return combination[name];
    return fillVariables(value, combination);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => fill(each, place));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      fillVariables(name, combination),
      fill(each, { combination, key: name }),
    ]),
  );
}

function fillOutsideShell(text: string, combination: Combination): string {
  return text
    .split('${')
    .map((part, index) => {
      if (index === 0) return fillVariables(part, combination);
      const end = part.indexOf('}') + 1;
      return part.slice(0, end) + fillVariables(part.slice(end), combination);
    })
    .join('${');
}

/** A value for each variable of a sweep. */
type Combination = Record<string, SweptValue>;

/** How many combinations a sweep has, without making any. */
export function countCombinations(sweep: Sweep): number {
  return Object.values(sweep).reduce((product, values) => product * values.length, 1);
}

/** Every combination of a sweep that fits none of `except`; the last variable varies fastest. */
export function* listCombinations(sweep: Sweep, except: readonly PartialCombination[]): Generator<Combination> {
  const axes = Object.entries(sweep);
  const count = countCombinations(sweep);
  for (let index = 0; index < count; index++) {
    let rest = index;
    const reversed = axes.toReversed().map(([name, values]): [string, SweptValue] => {
      const value = values[rest % values.length]!;
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
    const combination = Object.fromEntries(reversed.toReversed());
    if (!except.some((partial) => fits(combination, partial))) yield combination;
  }
}

/** Whether a combination has all of these values. */
export function fits(combination: Combination, partial: PartialCombination): boolean {
  return Object.entries(partial).every(([name, values]) => [values].flat().includes(combination[name]!));
}
