import { foreignTexts, fits, listCombinations } from '#core/evaluation/sweep/fill-template.ts';
import { TemplateFieldsSchema, type SweptValue } from '#core/evaluation/sweep/sweep.ts';
import { VariableNameSchema } from '#core/evaluation/pages/variables.ts';
import { readKeys, readPath, readText } from '../path.ts';

/** An entry of `scenarios`, as somebody wrote it. */
export type ScenarioEntry = Record<string, unknown>;

/** What a sweep begins with: over the rates of the emulated link, where there is one. */
const rates = { name: 'rateKbps', values: [256, 1000], unit: ' kb/s' };
const others = { name: 'value', values: [1, 2], unit: '' };

/** The Scenario with a sweep that can be changed from there. If it is the baseline, one of its Scenarios is. */
export function startSweep(entry: ScenarioEntry): ScenarioEntry {
  const link = readPath(entry, ['network', 'link']);
  const forward = readPath(link, ['forward']);
  const sweepsRate = link !== undefined && !['rateTrace', 'rateOnDemand'].some((field) => readPath(forward, [field]));
  const { values, unit, ...first } = sweepsRate ? rates : others;
  const name = freeVariable(first.name, readKeys(entry, ['variables']));
  const swept: ScenarioEntry = {
    ...entry,
    name: `${readText(entry, ['name'])} at {${name}}${unit}`.trim(),
    sweep: { [name]: values },
    ...(entry.baseline === true && { baseline: { [name]: values[0] } }),
  };
  if (!sweepsRate) return swept;
  const ofLink = typeof link === 'string' ? { preset: link } : link;
  return {
    ...swept,
    network: {
      ...(entry.network as object),
      link: { ...(ofLink as object), forward: { ...(forward as object | undefined), rateKbps: `{${name}}` } },
    },
  };
}

/** The first of the Scenarios that it stands for, as a Scenario without a sweep. Variables that URLs use stay. */
export function stopSweep(entry: ScenarioEntry, urls: readonly string[]): ScenarioEntry {
  const { sweep, except, baseline, ...settings } = entry;
  const fields = TemplateFieldsSchema.safeParse({ sweep, except, baseline });
  const [combination = {}] = fields.success ? listCombinations(fields.data.sweep, fields.data.except) : [];
  const isBaseline = fields.success
    ? fields.data.baseline === true || (fields.data.baseline !== false && fits(combination, fields.data.baseline))
    : baseline === true;
  const filled = Object.entries(combination).reduce<unknown>(
    (value, [name, each]) => fillOne(value, { name, value: each }),
    settings,
  );
  const used = Object.entries(combination).filter(([name]) => urls.some((url) => url.includes(`{${name}}`)));
  const { variables, ...rest } = filled as ScenarioEntry;
  const all = { ...Object.fromEntries(used), ...(variables as object | undefined) };
  return { ...rest, ...(isWritten(all) && { variables: all }), ...(isBaseline && { baseline: true }) };
}

/** The template with one more variable, which its name contains so that the names differ. */
export function addVariable(entry: ScenarioEntry): ScenarioEntry {
  const sweep = sweepOf(entry);
  const name = freeVariable(others.name, [...Object.keys(sweep), ...readKeys(entry, ['variables'])]);
  return {
    ...entry,
    name: `${readText(entry, ['name'])} {${name}}`.trim(),
    sweep: { ...sweep, [name]: others.values },
  };
}

/** The template without a variable, whose first value is in its places. At the end of the name, there is nothing in its place. */
export function removeVariable(entry: ScenarioEntry, name: string): ScenarioEntry {
  const sweep = sweepOf(entry);
  const values = sweep[name];
  const first: unknown = Array.isArray(values) ? values[0] : undefined;
  const { except, baseline, ...settings } = entry;
  const ending = ` {${name}}`;
  const ownName = readText(entry, ['name']);
  const shorter = { ...settings, name: ownName.endsWith(ending) ? ownName.slice(0, -ending.length) : ownName };
  const filled = isScalar(first) ? fillOne(shorter, { name, value: first }) : shorter;
  const withoutName = (partial: unknown) => withoutKey(partial, name);
  const exceptions = Array.isArray(except) ? except.map(withoutName).filter(isWritten) : except;
  const baselines = withoutName(baseline);
  return {
    ...(filled as ScenarioEntry),
    sweep: withoutKey(sweep, name),
    ...(isWritten(exceptions) && { except: exceptions }),
    ...(baselines !== undefined && { baseline: isWritten(baselines) ? baselines : true }),
  };
}

/** The template with another name for a variable, in every place. */
export function renameVariable(entry: ScenarioEntry, from: string, to: string): ScenarioEntry {
  const { sweep, except, baseline, ...settings } = entry;
  const rename = (mapping: unknown) => renameKey(mapping, { from, to });
  const renamed = mapTexts(settings, (text, key) => replaceVariable(text, { key, name: from, by: `{${to}}` }));
  return {
    ...(renamed as ScenarioEntry),
    sweep: rename(sweep),
    ...(except !== undefined && { except: Array.isArray(except) ? except.map(rename) : except }),
    ...(baseline !== undefined && { baseline: rename(baseline) }),
  };
}

/** What makes one of its Scenarios the baseline or, where it has a group, one of each group: the first value of each variable that is not in the group. */
export function chooseBaseline(entry: ScenarioEntry): Record<string, unknown> {
  const group = readText(entry, ['group']);
  const entries = Object.entries(sweepOf(entry)).map(
    ([name, values]) => [name, Array.isArray(values) ? (values[0] as unknown) : values] as const,
  );
  const apart = entries.filter(([name]) => !group.includes(`{${name}}`));
  return Object.fromEntries(apart.length > 0 ? apart : entries);
}

/** What does not change how a Scenario is measured. */
const labels = new Set(['sweep', 'except', 'baseline', 'name', 'group', 'description']);

/** The variables of its sweep that no setting uses. Scenarios that differ only in one of these are measured alike. */
export function findUnusedVariables(entry: ScenarioEntry, urls: readonly string[]): string[] {
  const settings = Object.entries(entry).filter(([key]) => !labels.has(key));
  const texts = [...urls];
  mapTexts(Object.fromEntries(settings), (text) => texts.push(text));
  return Object.keys(sweepOf(entry)).filter((each) => !texts.some((text) => text.includes(`{${each}}`)));
}

export function sweepOf({ sweep }: ScenarioEntry): Record<string, unknown> {
  return typeof sweep === 'object' && sweep !== null && !Array.isArray(sweep) ? { ...sweep } : {};
}

function fillOne(value: unknown, { name, value: by }: { name: string; value: SweptValue }): unknown {
  return mapTexts(value, (text, key) =>
    text === `{${name}}` && !alwaysText.has(key) ? by : replaceVariable(text, { key, name, by: String(by) }),
  );
}

const alwaysText = new Set(['name', 'description', 'group']);

/** In scripts, `${name}` belongs to the shell. */
function replaceVariable(text: string, { key, name, by }: { key: string; name: string; by: string }): string {
  if (!VariableNameSchema.safeParse(name).success) return text;
  const place = new RegExp(`${foreignTexts.has(key) ? '(?<!\\$)' : ''}\\{${name}\\}`, 'g');
  return text.replace(place, () => by);
}

function renameKey(mapping: unknown, { from, to }: { from: string; to: string }): unknown {
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) return mapping;
  return Object.fromEntries(Object.entries(mapping).map(([name, each]) => [name === from ? to : name, each]));
}

function withoutKey(mapping: unknown, key: string): unknown {
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping)) return mapping;
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== key));
}

function isScalar(value: unknown): value is SweptValue {
  return ['number', 'string', 'boolean'].includes(typeof value);
}

function isWritten(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== undefined;
}

function freeVariable(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** The value with each text in it replaced; `key` is the nearest key above the text. Keys are texts, too. */
function mapTexts(value: unknown, change: (text: string, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(change(name, '')), mapTexts(each, change, name)]),
  );
}
