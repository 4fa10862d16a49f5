import { buildExtension } from '#cli/extension/build-extension.ts';
import { openExtensionSession } from '#tests/browser/support/open-extension-session.ts';
import { openSession } from '#tests/browser/support/open-session.ts';
import { takeSnapshot, valueOf } from '#tests/browser/support/visit-for-snapshot.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { estimateMedian } from './support/interval-of-median.ts';
import { installBrowsertime, runBrowsertime } from './support/run-browsertime.ts';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';

/**
 * The same pages with the extension, with the stand-alone engine chrome and with browsertime, one cold load of each in turn, in the same browser:
 * `node bench/extension.ts [ITERATIONS]`. Prints the differences to the engine chrome, load by load, as medians with their 95 % intervals.
 * Needs chromedriver on the PATH (Debian: chromium-driver).
 */
const iterations = Number(process.argv[2] ?? 20);
const metrics = ['base', 'total', 'load event'] as const;
type Latencies = Partial<Record<(typeof metrics)[number], number>>;

const browsertime = await installBrowsertime();
await using origin = await startOriginProcess();
await using chrome = await openSession();
await buildExtension();
await using extension = await openExtensionSession('chrome', {});

const tools: Record<string, (url: string) => Promise<Latencies>> = {
  chrome: (url) => measureWithEngine(chrome, url),
  extension: (url) => measureWithEngine(extension, url),
  browsertime: async (url) => {
    const { loadEventMs, fullyLoadedMs, requestStartMs } = await runBrowsertime(browsertime, url);
    return { total: fullyLoadedMs - requestStartMs, 'load event': loadEventMs - requestStartMs };
  },
};

for (const page of ['/images/10', '/hard-cases']) {
  const rounds: Record<string, Latencies>[] = [];
  for (let index = -1; index < iterations; index++) {
    const round: Record<string, Latencies> = {};
    const order = Object.keys(tools);
    // Each comes first, second and last as often as the others.
    const turn = (index + 1) % order.length;
    for (const tool of [...order.slice(turn), ...order.slice(0, turn)]) {
      round[tool] = await tools[tool]!(
        `${origin.httpUrl}${page}?visit=${tool}-${page.slice(1).replace('/', '-')}-${index}`,
      );
    }
    if (index >= 0) rounds.push(round); // the first is to warm up
  }
  console.log(`\n${page}: ${iterations} cold loads with each in turn, from the first request; ms`);
  console.table(
    Object.keys(tools)
      .filter((tool) => tool !== 'chrome')
      .flatMap((tool) => metrics.flatMap((metric) => describe(rounds, { tool, metric }))),
  );
}

function describe(
  rounds: readonly Record<string, Latencies>[],
  { tool, metric }: { tool: string; metric: (typeof metrics)[number] },
) {
  const pairs = rounds.map((round) => ({ own: round[tool]![metric], reference: round['chrome']![metric] }));
  const differences = pairs.flatMap(({ own, reference }) =>
    own === undefined || reference === undefined ? [] : [own - reference],
  );
  if (differences.length === 0) return [];
  const { median, low, high } = estimateMedian(differences);
  const reference = estimateMedian(pairs.flatMap(({ reference: value }) => value ?? []));
  return [
    {
      tool,
      metric,
      'median of chrome': reference.median.toFixed(1),
      'median difference': median.toFixed(1),
      '95 % interval': `${low.toFixed(1)} to ${high.toFixed(1)}`,
    },
  ];
}

async function measureWithEngine(session: EngineSession, url: string): Promise<Latencies> {
  const snapshot = await takeSnapshot(session, url);
  const requestStartMs = valueOf(snapshot, 'requestStartMs');
  const since = (metric: 'baseMs' | 'totalMs' | 'loadEventMs') => valueOf(snapshot, metric) - requestStartMs;
  return { base: since('baseMs'), total: since('totalMs'), 'load event': since('loadEventMs') };
}
