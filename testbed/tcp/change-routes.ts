import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-tool.ts';

interface Route {
  version: '-4' | '-6';
  /** As `ip route` prints it and takes it. */
  words: string[];
}

/** What `ip route` prints of the state of a route, and does not take. */
const states = ['linkdown', 'dead'];

/**
 * Gives every route by an interface these attributes, such as `initcwnd`, instead of those that it has of that name. Connections take them
 * when they begin. Disposing puts the routes back as they were. Throws `testbed-refused` without a route, naming the setting that needs one.
 */
export async function changeRoutes(
  enter: Enter,
  { interface: name, attributes, setting }: { interface: string; attributes: Record<string, number>; setting: string },
): Promise<AsyncDisposable> {
  const routes = await readRoutes(enter, name);
  if (routes.length === 0)
    throw new AppError(
      'testbed-refused',
      `${setting} needs a route, and ${name} has none: bring the interface up, with an address`,
    );
  const written = Object.entries(attributes).flatMap(([attribute, value]) => [attribute, `${value}`]);
  await using undo = new AsyncDisposableStack();
  for (const route of routes) {
    await changeRoute(enter, { ...route, words: [...without(route.words, Object.keys(attributes)), ...written] });
    undo.defer(() => changeRoute(enter, route));
  }
  return undo.move();
}

async function readRoutes(enter: Enter, name: string): Promise<Route[]> {
  const routes: Route[] = [];
  for (const version of ['-4', '-6'] as const) {
    const lines = (await runIn(enter, 'ip', version, '-oneline', 'route', 'show', 'dev', name))
      .split('\n')
      .filter((line) => line.trim() !== '');
    routes.push(
      ...lines.map((line) => ({
        version,
        words: [
          ...line
            .trim()
            .split(/\s+/)
            .filter((word) => !states.includes(word)),
          'dev',
          name,
        ],
      })),
    );
  }
  return routes;
}

async function changeRoute(enter: Enter, { version, words }: Route): Promise<void> {
  await runIn(enter, 'ip', version, 'route', 'change', ...words);
}

function without(words: string[], attributes: string[]): string[] {
  return words.filter((word, index) => ![word, words[index - 1]].some((each) => attributes.includes(each ?? '')));
}
