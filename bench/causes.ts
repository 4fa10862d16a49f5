import type { Engine } from '#core/evaluation/users/user-agent.ts';
import { findWrongParts, measurePlanted } from '#tests/testbed/support/planted-causes.ts';
import { joinOverLink } from '#tests/testbed/support/join-over-link.ts';
import { openBenchController } from './support/bench-parts.ts';
import { findFirefox } from '#tests/browser/support/find-firefox.ts';

/**
 * Plants one cause at a time, and says what the Comparison calls it: `node bench/causes.ts [ROUNDS [ENGINE…]]`, as root. Engines are chrome, firefox, http, and the extension in
 * `extension-chrome` and `extension-firefox`. Each has a link of 120 ms of round trip for itself.
 */
const [rounds = '20', ...asked] = process.argv.slice(2);
const all = ['chrome', 'firefox', 'http', 'extension-chrome', 'extension-firefox'] as const;

for (const name of all.filter((each) => asked.length === 0 || asked.includes(each))) {
  const target = name === 'extension-chrome' ? 'chrome' : name === 'extension-firefox' ? 'firefox' : null;
  const engine: Engine = target ? 'extension' : (name as Engine);
  await using overLink = await joinOverLink(
    { firefoxPath: findFirefox(), ...(target && { extension: target }) },
    openBenchController,
  );
  const { results, unexplainedShare, sumErrorMs } = await measurePlanted(overLink, { engine, rounds: Number(rounds) });
  console.log(
    `\n${name}, ${rounds} Rounds: the largest part unexplained is ${(unexplainedShare * 100).toFixed(1)} %, and the parts sum to the latency within ${sumErrorMs.toExponential(0)} ms`,
  );
  console.table(
    results.map((result) => ({
      planted: result.name,
      'planted, ms': describe(result.expected ?? {}),
      'found, ms': describe(
        Object.fromEntries(
          result.difference.parts.filter(({ value }) => Math.abs(value) >= 2).map(({ cause, value }) => [cause, value]),
        ),
      ),
      wrong: findWrongParts(result).join(', '),
    })),
  );
}

function describe(parts: Partial<Record<string, number>>): string {
  return Object.entries(parts)
    .map(([cause, ms]) => `${cause} ${ms! > 0 ? '+' : ''}${ms!.toFixed(0)}`)
    .join(', ');
}
