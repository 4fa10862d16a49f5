import { describeIssues } from '../../input/describe-issues.ts';
import { variablesIn } from '../pages/variables.ts';
import { fillTemplate, countCombinations, listCombinations, foreignTexts } from './fill-template.ts';
import { TemplateFieldsSchema, settingsOf, type Sweep, type TemplateFields, type PartialCombination } from './sweep.ts';

export const mostScenarios = 200;
/** Up to here `except` is looked at; it cannot leave few enough of more in a document that people read. */
const mostCombinations = 5000;
const mostCharacters = 20_000_000;

export type ExpandedScenarios =
  | {
      kind: 'expanded';
      scenarios: unknown[];
      /** Of each, the place of what it was written as. */
      sources: number[];
    }
  | { kind: 'refused'; faults: Fault[] };

/** Whether an entry of `scenarios` is a template, which has a sweep. */
export function isTemplate(entry: unknown): entry is Record<string, unknown> {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry) && Object.hasOwn(entry, 'sweep');
}

/**
 * The Scenarios that the entries of `scenarios` stand for, in order: a template with a sweep becomes one for each combination, any other entry stays.
 * They are counted before any is made. Paths of faults begin at the entry.
 */
export function expandSweeps(entries: readonly unknown[]): ExpandedScenarios {
  const read = entries.map((entry, index) =>
    isTemplate(entry) ? readTemplate(entry, index) : { entry, index, count: 1 },
  );
  const faults = read.flatMap((each) => ('faults' in each ? each.faults : []));
  const counted = read.filter((each) => 'entry' in each);
  const templates = counted.filter((each) => 'fields' in each);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total > mostScenarios && templates.length > 0) faults.push(explainTooMany(templates, total));
  for (const { index, count, characters } of templates)
    if (characters * count > mostCharacters && count <= mostScenarios)
      faults.push({
        path: [index],
        message: `has ${count} combinations, too many for its length: shorten its scripts`,
      });
  if (faults.length > 0) return { kind: 'refused', faults };

  const expanded = counted.flatMap((each) =>
    'fields' in each
      ? [...listCombinations(each.fields.sweep, each.fields.except)].map((combination) => ({
          scenario: fillTemplate(each.entry, each.fields, combination),
          index: each.index,
        }))
      : [{ scenario: each.entry, index: each.index }],
  );
  return {
    kind: 'expanded',
    scenarios: expanded.map(({ scenario }) => scenario),
    sources: expanded.map(({ index }) => index),
  };
}

interface ReadTemplate {
  entry: Record<string, unknown>;
  index: number;
  fields: TemplateFields;
  /** How many Scenarios it stands for. */
  count: number;
  /** The most that one of its Scenarios can have. */
  characters: number;
}

function readTemplate(
  entry: Record<string, unknown>,
  index: number,
): ReadTemplate | { index: number; faults: Fault[] } {
  const parsed = TemplateFieldsSchema.safeParse(entry);
  if (!parsed.success) {
    const faults = describeIssues(parsed.error, { schema: TemplateFieldsSchema, input: entry });
    return { index, faults: faults.map(({ path, message }) => ({ path: [index, ...path], message })) };
  }
  const characters = measureText(entry, longestOf(parsed.data));
  if (characters > mostCharacters)
    return { index, faults: [{ path: [index], message: 'is too long or too deep: shorten it' }] };
  const faults = findTemplateFaults(entry, parsed.data).map(({ path, message }) => ({
    path: [index, ...path],
    message,
  }));
  if (faults.length > 0) return { index, faults };
  const count = countScenarios(parsed.data);
  if (count === 0)
    return {
      index,
      faults: [{ path: [index, 'except'], message: 'leaves no Scenario: leave fewer combinations out' }],
    };
  return {
    entry,
    index,
    fields: { ...parsed.data, sweep: orderVariables(parsed.data.sweep, entry.name) },
    count,
    characters,
  };
}

/** The variables in the order of the name, then of the alphabet: a database keeps no order of keys. */
function orderVariables(sweep: Sweep, name: unknown): Sweep {
  const named = typeof name === 'string' ? variablesIn(name) : [];
  const ordered = [...new Set([...named, ...Object.keys(sweep).sort()])];
  return Object.fromEntries(ordered.map((variable) => [variable, sweep[variable]!]));
}

/** Counted before any Scenario is made. */
function countScenarios({ sweep, except }: TemplateFields): number {
  const combinations = countCombinations(sweep);
  if (except.length === 0 || combinations > mostCombinations) return combinations;
  return [...listCombinations(sweep, except)].length;
}

function explainTooMany(templates: readonly { index: number; count: number }[], total: number): Fault {
  const largest = templates.reduce((most, each) => (each.count > most.count ? each : most));
  const inAll = total > largest.count ? `, ${show(total)} together with the others` : '';
  return {
    path: [largest.index, 'sweep'],
    message: `would be ${show(largest.count)} Scenarios${inAll}, but an Evaluation has at most ${mostScenarios}: use fewer values, or leave combinations out by "except"`,
  };
}

function show(count: number): string {
  return Number.isSafeInteger(count) ? String(count) : `about ${count.toExponential(0)}`;
}

function longestOf({ sweep }: TemplateFields): number {
  return Object.values(sweep)
    .flat()
    .reduce<number>((most, value) => Math.max(most, String(value).length), 0);
}

const deepest = 20;

/** The most characters of its texts, with each opening brace replaced by a value of this length; infinite where it is too deep for a Scenario. */
function measureText(value: unknown, longestValue: number, depth = 0): number {
  if (depth > deepest) return Infinity;
  if (typeof value === 'string') return value.length + value.split('{').length * longestValue;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [key, each]) => sum + key.length + measureText(each, longestValue, depth + 1),
    1,
  );
}

interface Fault {
  path: PropertyKey[];
  message: string;
}

/** What of a template names a variable or a value that its sweep does not have. */
function findTemplateFaults(
  template: Readonly<Record<string, unknown>>,
  { sweep, except, baseline }: TemplateFields,
): Fault[] {
  return [
    ...except.flatMap((partial, index) => findPartialFaults(partial, sweep, ['except', index])),
    ...(typeof baseline === 'boolean' ? [] : findPartialFaults(baseline, sweep, ['baseline'])),
    ...findRepeated(template.variables, sweep),
    ...findUnknown(settingsOf(template), sweep, []),
    ...findUnnamed(template.name, sweep),
  ];
}

function findPartialFaults(partial: PartialCombination, sweep: Sweep, path: PropertyKey[]): Fault[] {
  return Object.entries(partial).flatMap(([name, values]): Fault[] => {
    if (!Object.hasOwn(sweep, name))
      return [
        { path: [...path, name], message: `the sweep has no "${name}": write one of ${listNames(sweep, quote)}` },
      ];
    const strange = [values].flat().find((value) => !sweep[name]!.includes(value));
    if (strange === undefined) return [];
    const known = sweep[name]!.slice(0, 10).map((value) => JSON.stringify(value));
    return [
      {
        path: [...path, name],
        message: `${JSON.stringify(strange)} is no value of "${name}" in the sweep: write one of ${known.join(', ')}${sweep[name]!.length > 10 ? ', …' : ''}`,
      },
    ];
  });
}

function findRepeated(variables: unknown, sweep: Sweep): Fault[] {
  if (typeof variables !== 'object' || variables === null) return [];
  return Object.keys(variables)
    .filter((name) => Object.hasOwn(sweep, name))
    .map((name) => ({
      path: ['variables', name],
      message: 'is in the sweep too, whose values are variables already: leave it out here',
    }));
}

/** Texts that are an unknown variable alone, and any in the name and the group. Other braces may mean something to a browser or a proxy. */
function findUnknown(value: unknown, sweep: Sweep, path: PropertyKey[]): Fault[] {
  if (typeof value === 'string') {
    if (foreignTexts.has(String(path.at(-1)))) return [];
    const isOwn = path.length === 1 && (path[0] === 'name' || path[0] === 'group');
    const unknown = variablesIn(value).find((name) => !Object.hasOwn(sweep, name) && (isOwn || value === `{${name}}`));
    if (unknown === undefined) return [];
    return [{ path, message: `the sweep has no {${unknown}}: write one of ${listNames(sweep, brace)}` }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    findUnknown(each, sweep, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Variables that the name of a template lacks, so that several Scenarios would have the same. */
function findUnnamed(name: unknown, sweep: Sweep): Fault[] {
  if (typeof name !== 'string') return [];
  const named = variablesIn(name);
  const lacking = Object.keys(sweep).filter((each) => sweep[each]!.length > 1 && !named.includes(each));
  if (lacking.length === 0) return [];
  return [
    {
      path: ['name'],
      message: `must contain ${lacking.map(brace).join(' and ')}, so that the names differ, such as "${`${name} ${lacking.map(brace).join(' ')}`.trim().slice(0, 80)}"`,
    },
  ];
}

const quote = (name: string) => `"${name}"`;
const brace = (name: string) => `{${name}}`;

function listNames(sweep: Sweep, show: (name: string) => string): string {
  return Object.keys(sweep).map(show).join(', ');
}
