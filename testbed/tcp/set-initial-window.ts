import { AppError } from '#core/app-error.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';

interface Route {
  version: '-4' | '-6';
  /** As `ip route` prints it and takes it. */
  words: string[];
}

/** What `ip route` prints of the state of a route, and does not take. */
const states = ['linkdown', 'dead'];

/** The window that connections by this interface begin with, both ways: the kernel keeps it with the routes. Disposing puts these back as they were. */
export async function setInitialWindow(
  enter: Enter,
  { interface: name, segments }: { interface: string; segments: number },
): Promise<AsyncDisposable> {
  const routes = await readRoutes(enter, name);
  if (routes.length === 0)
    throw new AppError(
      'testbed-refused',
      `initialWindowSegments needs a route, and ${name} has none: bring the interface up, with an address`,
    );
  await using undo = new AsyncDisposableStack();
  for (const route of routes) {
    await changeRoute(enter, {
      ...route,
      words: [...withoutWindow(route.words), 'initcwnd', `${segments}`, 'initrwnd', `${segments}`],
    });
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

function withoutWindow(words: string[]): string[] {
  return words.filter(
    (word, index) => ![word, words[index - 1]].some((each) => each === 'initcwnd' || each === 'initrwnd'),
  );
}
