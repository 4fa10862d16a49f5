interface VariedPage {
  variables: Readonly<Record<string, number>>;
}

/**
 * Variables of pages that change beside x without following it, such as the size of the page beside the number of its objects: a line through all pages would
 * zig-zag. With those that are found fixed, all others rise or fall with x. Fewest values first.
 */
export function findConfounders(pages: readonly VariedPage[], x: string): string[] {
  const own = pages.filter(({ variables }) => Object.hasOwn(variables, x));
  const valuesOf = (name: string) => new Set(own.map(({ variables }) => variables[name])).size;
  const names = [...new Set(own.flatMap(({ variables }) => Object.keys(variables)))]
    .filter((name) => name !== x && valuesOf(name) > 1)
    .sort((a, b) => valuesOf(a) - valuesOf(b));
  const found: string[] = [];
  for (const name of names) {
    const rest = names.filter((each) => !found.includes(each));
    const groups = [
      ...Map.groupBy(own, ({ variables }) => JSON.stringify(found.map((each) => variables[each]))).values(),
    ];
    if (groups.every((group) => rest.every((each) => follows(group, x, each)))) break;
    // As many groups as pages leave nothing to draw a line through.
    if (valuesOf(name) < own.length) found.push(name);
  }
  return found;
}

/** Whether a variable only rises, or only falls, with x, and is the same where x is. */
function follows(pages: readonly VariedPage[], x: string, name: string): boolean {
  const pairs = pages
    .map(({ variables }) => ({ x: variables[x]!, y: variables[name] ?? NaN }))
    .sort((a, b) => a.x - b.x);
  const steps = pairs.slice(1).map((pair, index) => ({ dx: pair.x - pairs[index]!.x, dy: pair.y - pairs[index]!.y }));
  if (steps.some(({ dx, dy }) => Number.isNaN(dy) || (dx === 0 && dy !== 0))) return false;
  return steps.every(({ dy }) => dy >= 0) || steps.every(({ dy }) => dy <= 0);
}
