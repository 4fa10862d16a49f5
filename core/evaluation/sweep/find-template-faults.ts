import { variablesIn } from '../pages/variables.ts';
import { foreignTexts } from './fill-template.ts';
import { settingsOf, type PartialCombination, type Sweep, type TemplateFields } from './sweep.ts';

export interface Fault {
  path: PropertyKey[];
  message: string;
}

/** What of a template names a variable or a value that its sweep does not have. */
export function findTemplateFaults(
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
