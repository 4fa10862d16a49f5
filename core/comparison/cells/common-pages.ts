interface Place {
  scenario: string;
  userAgent: string;
}

/**
 * The pages, each of one User Agent, that have a value in every Scenario which has any value at all, and in which their User Agent takes part. `places`: where User Agents
 * made Visits, also those that gave no value: a User Agent that only fails under a Scenario takes part in it, and its pages are not common.
 */
export function findCommonPages<Page>(
  measured: readonly (Place & { page: Page })[],
  places: readonly Place[],
): Set<Page> {
  const haveAny = new Set(measured.map(({ scenario }) => scenario));
  const takesPartIn = new Map<string, Set<string>>();
  for (const { userAgent, scenario } of places)
    if (haveAny.has(scenario)) takesPartIn.set(userAgent, (takesPartIn.get(userAgent) ?? new Set()).add(scenario));
  const userOf = new Map(measured.map(({ page, userAgent }) => [page, userAgent]));
  const scenariosOf = new Map<Page, number>();
  for (const { page } of measured) scenariosOf.set(page, (scenariosOf.get(page) ?? 0) + 1);
  return new Set(
    [...scenariosOf]
      .filter(([page, count]) => count === takesPartIn.get(userOf.get(page)!)!.size)
      .map(([page]) => page),
  );
}
