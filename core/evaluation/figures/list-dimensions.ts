import { givenDimensions, type DimensionValue, type GivenDimension } from './figure-choice.ts';

/** The parts of an Evaluation that distinguish its measurements. */
export interface DimensionSource {
  pages: readonly { page: string; variables: Readonly<Record<string, number>> }[];
  scenarios: readonly {
    name: string;
    group?: string | null | undefined;
    variables?: Readonly<Record<string, DimensionValue>> | undefined;
  }[];
  userAgents: readonly { name: string; userClass?: string | null | undefined }[];
}

/**
 * The values of every dimension, in the order in which figures show them: numbers ascending, others as the Evaluation has them. A variable that pages
 * and Scenarios have is that of the pages. Given dimensions win over variables of their name.
 */
export function listDimensions({ pages, scenarios, userAgents }: DimensionSource): Map<string, DimensionValue[]> {
  const ofScenarios = gatherVariables(scenarios);
  const ofPages = gatherVariables(pages);
  const given: Record<GivenDimension, DimensionValue[]> = {
    page: pages.map(({ page }) => page),
    scenario: scenarios.map(({ name }) => name),
    group: scenarios.flatMap(({ group }) => group ?? []),
    userAgent: userAgents.map(({ name }) => name),
    userClass: userAgents.flatMap(({ userClass }) => userClass ?? []),
  };
  return new Map([
    ...[...ofScenarios, ...ofPages].map(([name, values]) => [name, sortValues([...values])] as const),
    ...givenDimensions.map((name) => [name, sortValues([...new Set(given[name])])] as const),
  ]);
}

export function isNumeric(values: readonly DimensionValue[]): values is number[] {
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function gatherVariables(
  all: readonly { variables?: Readonly<Record<string, DimensionValue>> | undefined }[],
): Map<string, Set<DimensionValue>> {
  const found = new Map<string, Set<DimensionValue>>();
  for (const { variables = {} } of all) {
    for (const [name, value] of Object.entries(variables)) {
      const values = found.get(name);
      if (values) values.add(value);
      else found.set(name, new Set([value]));
    }
  }
  return found;
}

function sortValues(values: DimensionValue[]): DimensionValue[] {
  return isNumeric(values) ? values.toSorted((a, b) => a - b) : values;
}
