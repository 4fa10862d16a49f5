import path from 'node:path';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { readProxyCounters } from './proxy-counters.ts';
import { splitPort, startInNode, type SplitCounters, type SplitProgram } from './split-program.ts';

/** Where it reports what it did: on the loopback interface of its node alone. */
const statisticsPort = 5081;

const configuration = path.join(import.meta.dirname, 'haproxy.cfg');
const statisticsProgram = path.join(import.meta.dirname, 'show-statistics.ts');

/** Starts haproxy in a node, and waits until it serves. Throws `testbed-failed`. */
export async function startHaproxy(enter: Enter): Promise<SplitProgram> {
  await using resources = new AsyncDisposableStack();
  const haproxy = resources.use(
    startInNode(enter, ['haproxy', '-db', '-f', configuration], {
      PORT: `${splitPort}`,
      STATISTICS_PORT: `${statisticsPort}`,
    }),
  );
  const readCounters = async (): Promise<SplitCounters> =>
    readProxyCounters(await haproxy.during(runIn(enter, process.execPath, statisticsProgram, `${statisticsPort}`)));
  await readCounters();
  const remove = resources.move();
  return { readCounters, [Symbol.asyncDispose]: () => remove.disposeAsync() };
}
