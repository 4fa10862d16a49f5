import { quantity } from '#core/comparison/checks/check.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { ScenarioConditions } from '#core/comparison/scenario-settings/scenario-conditions.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { Figure } from '../components/chart/figure.ts';

/** What a caption says of the Run that a figure is drawn from. */
export interface CaptionFacts {
  evaluationName: string;
  runId: string;
  seed: number;
  /** Whether the seed drew the order of Scenarios; null while it is not known. */
  isRandomOrder: boolean | null;
  /** Of each Scenario. */
  rounds: { least: number; most: number };
  visits: number;
  confidence: number;
  /** At which intervals are computed so that they hold the confidence. */
  intervalConfidence: number;
  /** A sentence for each emulated link. */
  links: string[];
  /** What loaded the pages, such as `Chrome 140.0.7339.80`. */
  browsers: string[];
  /** Of HTTP-AE; null while it is not known. */
  version: string | null;
}

/** More would be a table, which the report has. */
const mostLinks = 6;

/** `method`: null while it is not known. */
export function gatherCaptionFacts(comparison: Comparison, method: RunMethod | null): CaptionFacts {
  const { evaluationName, runId, seed, confidence, intervalConfidence, metrics, primaryMetric } = comparison;
  const scenarios = metrics.find(({ metric }) => metric === primaryMetric)?.scenarios ?? [];
  const rounds = scenarios.map(({ blocks }) => blocks.length);
  return {
    evaluationName,
    runId,
    seed,
    isRandomOrder: method ? method.order === 'random-blocks' : null,
    rounds: { least: Math.min(...rounds), most: Math.max(...rounds) },
    visits: scenarios.reduce((sum, scenario) => sum + scenario.visits, 0),
    confidence,
    intervalConfidence,
    links: nameLinks(comparison.conditions),
    browsers: [...new Set((method?.engineVersions ?? []).map(({ version }) => version.replace('/', ' ')))],
    version: method?.controllerVersion ?? null,
  };
}

/** Each link once, with the Scenarios that have it where there are several: their group, if all of it has the link. */
function nameLinks(conditions: readonly ScenarioConditions[]): string[] {
  const links = [...Map.groupBy(conditions, ({ link = 'none' }) => link)];
  if (links.length === 1 && links[0]![0] === 'none') return [];
  if (links.length === 1) return [`Link: ${links[0]![0]}.`];
  if (links.length > mostLinks) return [`The Scenarios have ${links.length} links, which its report lists.`];
  return links.map(([link, own]) => {
    const groups = new Set(own.map(({ group }) => group));
    const isWhole = conditions.every((each) => own.includes(each) || !groups.has(each.group));
    const names = isWhole && !groups.has(undefined) ? [...groups] : own.map(({ scenario }) => scenario);
    return `Link of ${names.map((name) => `“${name!}”`).join(', ')}: ${link}.`;
  });
}

/** The caption of a figure for a paper: what it shows, n, the link, the browser, the method, the seed, and with what it was measured. */
export function writeCaption(
  { title, hasIntervals = true, restsOn }: Pick<Figure, 'title' | 'hasIntervals' | 'restsOn'>,
  facts: CaptionFacts,
): string {
  const { evaluationName, runId, seed, isRandomOrder, rounds, visits, links, browsers, version } = facts;
  const all = `n = ${nameRange(rounds, 'Round')} of each Scenario, ${quantity(visits, 'Visit')} in all`;
  return [
    `${title}.`,
    `${restsOn ?? all}, of Run ${runId} of “${evaluationName}”.`,
    ...links,
    ...(browsers.length === 0 ? [] : [`Loaded by ${browsers.join(', ')}.`]),
    ...(hasIntervals ? [`Intervals are ${nameLevel(facts)}, over Rounds. Differences are paired by Block.`] : []),
    isRandomOrder ? `The order of Scenarios is random, with seed ${seed}.` : `Seed ${seed}.`,
    `Measured with HTTP-AE${version === null ? '' : ` ${version}`}.`,
  ].join(' ');
}

/** `20 Rounds`, or `8 to 10 Rounds`. */
export function nameRange({ least, most }: CaptionFacts['rounds'], noun: string): string {
  return least === most ? quantity(most, noun) : `${least} to ${quantity(most, noun)}`;
}

function nameLevel({ confidence, intervalConfidence }: CaptionFacts): string {
  const percent = (ratio: number) => `${Number((100 * ratio).toFixed(3))} %`;
  return intervalConfidence > confidence
    ? `${percent(confidence)} t intervals, computed at ${percent(intervalConfidence)} to allow for a stop rule or added Rounds`
    : `${percent(confidence)} t intervals`;
}

/** HTTP-AE as BibTeX, as in CITATION.cff. */
export function writeCitation(version: string | null): string {
  const fields = ['author = {{The HTTP-AE maintainers}}', 'title = {HTTP-AE}'];
  if (version !== null) fields.push(`version = {${version}}`);
  return `@software{http-ae, ${fields.join(', ')}}`;
}
