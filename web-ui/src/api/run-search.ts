import { RunSearchSchema, type RunSearch } from '#core/protocol/api/run-search.ts';

/** The search of a list of Runs, read from the address of its page. What the Controller would refuse is left out: the address may come from anywhere. */
export function readRunSearch(search: URLSearchParams): RunSearch {
  const given = Object.entries(RunSearchSchema.shape).flatMap(([name, schema]) => {
    const value = search.get(name);
    return value !== null && schema.safeParse(value).success ? [[name, value] as const] : [];
  });
  return RunSearchSchema.parse(Object.fromEntries(given));
}
