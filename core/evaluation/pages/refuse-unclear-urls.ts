import type { Scenario } from '../scenarios/scenario.ts';
import type { Engine, UserAgent } from '../users/user-agent.ts';
import { expandUrlEntry, type UrlEntry } from './url-entry.ts';
import { fillVariables, variablesIn } from './variables.ts';
import { explainOddText, VisitUrlSchema } from './visit-url.ts';

type Refuse = (path: (string | number)[], message: string) => void;
type Arm = Pick<Scenario, 'name' | 'variables'>;

/** Those that can click and type: the extension sees pages, but its clicks would be no input of a user. */
const journeyEngines: ReadonlySet<Engine> = new Set(['chrome', 'firefox']);

/** Addresses to check of one Evaluation: as many as its lists may have. */
const mostAddresses = 50_000;

/**
 * Calls `refuse` for each entry of a URL list with a variable that not every Scenario defines, and for each that a Scenario makes no URL of. Before there were variables,
 * braces around a word were themselves. Unless `isStrict`, they still are where no Scenario has variables.
 * Likewise spaces and braces without another end: earlier versions stored them as they came.
 */
export function refuseUnclearUrls(
  { urlLists, scenarios }: { urlLists: Readonly<Record<string, readonly UrlEntry[]>>; scenarios: readonly Arm[] },
  { isStrict, refuse }: { isStrict: boolean; refuse: Refuse },
): void {
  const areDefined = scenarios.some(({ variables = {} }) => Object.keys(variables).length > 0);
  let addresses = 0;
  for (const [list, entries] of Object.entries(urlLists)) {
    for (const [index, entry] of entries.entries()) {
      const path = ['urlLists', list, index, entry.journey ? 'journey' : 'url'];
      const oddText = isStrict && !entry.journey ? explainOddText(entry.url) : null;
      if (oddText !== null) {
        refuse(path, oddText);
        continue;
      }
      const hasNames = entry.journey !== undefined || variablesIn(entry.url).length > 0;
      if (!hasNames) continue;
      const pages = expandUrlEntry(entry).map(({ url, address = url }) => address);
      const names = entry.journey ? [...new Set(pages.flatMap(variablesIn))] : variablesIn(entry.url);
      if (names.length === 0) continue;
      if (!isStrict && !areDefined && pages.every((page) => VisitUrlSchema.safeParse(page).success)) continue;
      const undefinedName = names.find((name) => scenarios.some((scenario) => !defines(scenario, name)));
      if (undefinedName !== undefined) {
        refuse(path, explainUndefined(undefinedName, scenarios));
        continue;
      }
      const arms = distinguish(scenarios, names);
      addresses += arms.length * pages.length;
      if (addresses > mostAddresses) {
        refuse(
          path,
          `has more than ${mostAddresses} addresses with the variables of all Scenarios: use fewer URLs or values`,
        );
        return;
      }
      const problem = findWrongAddress(pages, arms);
      if (problem !== null) refuse(path, problem);
    }
  }
}

function defines({ variables }: Arm, name: string): boolean {
  return variables !== undefined && Object.hasOwn(variables, name);
}

function explainUndefined(name: string, scenarios: readonly Arm[]): string {
  const lacking = scenarios.filter((scenario) => !defines(scenario, name));
  if (lacking.length === scenarios.length)
    return `no Scenario defines the variable {${name}}: write "variables: { ${name}: … }" under each Scenario, or %7B${name}%7D for the braces themselves`;
  const others = lacking.length > 1 ? ` and ${lacking.length - 1} more` : '';
  return `the Scenario "${lacking[0]!.name}"${others} does not define the variable {${name}}: write "variables: { ${name}: … }" under it`;
}

/** One Scenario for each combination of values of these variables. */
function distinguish(scenarios: readonly Arm[], names: readonly string[]): Arm[] {
  return [
    ...new Map(
      scenarios.map((scenario) => [JSON.stringify(names.map((name) => scenario.variables![name])), scenario]),
    ).values(),
  ];
}

function findWrongAddress(pages: readonly string[], arms: readonly Arm[]): string | null {
  for (const { name, variables } of arms) {
    for (const page of pages) {
      const [issue] = VisitUrlSchema.safeParse(fillVariables(page, variables)).error?.issues ?? [];
      if (issue) return `in the Scenario "${name}": ${issue.message}`;
    }
  }
  return null;
}

/** Reports each User Agent whose URL list is not there, or has pages that its engine cannot load. */
export function refuseUnfitUrlLists(
  {
    urlLists,
    userAgents,
  }: { urlLists: Readonly<Record<string, readonly UrlEntry[]>>; userAgents: readonly UserAgent[] },
  refuse: Refuse,
): void {
  userAgents.forEach(({ urlList, engine }, index) => {
    if (!Object.hasOwn(urlLists, urlList)) {
      const known = Object.keys(urlLists).map((name) => `"${name}"`);
      refuse(['userAgents', index, 'urlList'], `there is no URL list "${urlList}": write one of ${known.join(', ')}`);
      return;
    }
    const problem = findUnfitEntry(urlLists[urlList]!, { urlList, engine });
    if (problem !== null) refuse(['userAgents', index, 'engine'], problem);
  });
}

function findUnfitEntry(
  entries: readonly UrlEntry[],
  { urlList, engine }: Pick<UserAgent, 'urlList' | 'engine'>,
): string | null {
  if (!journeyEngines.has(engine) && entries.some(({ journey }) => journey !== undefined))
    return `makes no journeys, and "${urlList}" has one: choose ${[...journeyEngines].join(' or ')}`;
  if (engine === 'http' && entries.some(({ until }) => until !== undefined))
    return `runs no scripts, so no page of "${urlList}" sets a mark to wait for: choose chrome, firefox or extension`;
  return null;
}
