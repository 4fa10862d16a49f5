import type { Evaluation } from '../../evaluation/evaluation.ts';
import { baselinesOf } from '../../evaluation/scenarios/scenario-groups.ts';
import { markTraits } from '../../evaluation/scenarios/scenario-trait.ts';
import { describeWholeLink } from '../../evaluation/network/describe-link.ts';
import { listSettings, isSame, type ScenarioSetting } from './list-settings.ts';
import type { ScenarioConditions, SettingDifference } from './scenario-conditions.ts';

const mostCharacters = 2000;
/** Of what both have, before the place where they part. */
const shownBefore = 200;

const notSet = 'not set';

/** In what each Scenario of an Evaluation differs from its baseline, in words. Settings that come to the same are no difference, however they are written. */
export function distinguishScenarios({
  scenarios,
  pageLoad,
}: Pick<Evaluation, 'scenarios' | 'pageLoad'>): ScenarioConditions[] {
  const settings = scenarios.map((scenario) => listSettings(scenario, pageLoad));
  const baselines = baselinesOf(scenarios);
  const marked = markTraits(scenarios);
  const ofScenario = new Map(scenarios.map(({ name }, index) => [name, settings[index]!]));
  return scenarios.map(({ name, baseline: isBaseline, description, group, variables = {}, network }, index) => ({
    scenario: name,
    isBaseline,
    description,
    ...(group !== undefined && { group }),
    ...(marked[index]!.trait !== undefined && { trait: marked[index]!.trait }),
    ...(network && { link: describeWholeLink(network.link) }),
    ...(Object.keys(variables).length > 0 && { variables }),
    differences: findDifferences(ofScenario.get(baselines.get(name)!)!, settings[index]!),
  }));
}

function findDifferences(baseline: readonly ScenarioSetting[], own: readonly ScenarioSetting[]): SettingDifference[] {
  const [ofBaseline, ofOwn] = [baseline, own].map(
    (settings) => new Map(settings.map((setting) => [setting.name, setting])),
  );
  return [...new Set([...own, ...baseline].map(({ name }) => name))].flatMap((name) => {
    const [before, after] = [ofBaseline!.get(name), ofOwn!.get(name)];
    if (isSame(before, after)) return [];
    const [inBaseline, here] = shortenApart(...wordsOf(before, after));
    return [{ setting: name, baseline: inBaseline, own: here, isScript: (after ?? before)?.isScript ?? false }];
  });
}

function wordsOf(before: ScenarioSetting | undefined, after: ScenarioSetting | undefined): [string, string] {
  const ways = (['words', 'wholeWords'] as const).map((way): [string, string] => [
    before?.[way] ?? notSet,
    after?.[way] ?? notSet,
  ]);
  return (
    ways.find(([one, other]) => one !== other) ?? [
      JSON.stringify(before?.value ?? null),
      JSON.stringify(after?.value ?? null),
    ]
  );
}

/** Two texts that differ, each cut to what a report has room for, around the place where they part. */
function shortenApart(one: string, other: string): [string, string] {
  if (one.length <= mostCharacters && other.length <= mostCharacters) return [one, other];
  const parting = findParting(one, other);
  const start = parting < mostCharacters - shownBefore ? 0 : parting - shownBefore;
  return [cut(one, start), cut(other, start)];
}

/** A text cut to what a report has room for. */
export function shorten(text: string): string {
  return cut(text, 0);
}

function findParting(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place++;
  return place;
}

function cut(text: string, start: number): string {
  const shown = text.slice(start, start + mostCharacters);
  return `${start > 0 ? '… ' : ''}${shown}${start + shown.length < text.length ? ' …' : ''}`;
}
