import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { storeScriptExecution } from '../db/rounds/rounds.ts';
import { executeScript } from './execute-script.ts';
import { RoundBrokenError } from './round-broken-error.ts';
import type { RunContext } from './run-context.ts';

const scriptsOf = { 'set-up': 'setUp', 'after-network': 'afterNetwork', 'tear-down': 'tearDown' } as const;

/**
 * Runs the scripts of one phase of a Scenario, one after the other, and stores what they printed. The first that
 * fails ends the phase, but every tear-down script is run, even after others failed. Throws RoundBrokenError when any failed.
 */
export async function runScripts(
  context: RunContext,
  order: { roundId: string; scenario: Scenario; phase: keyof typeof scriptsOf },
): Promise<void> {
  const { run, store, notify, log } = context;
  const { roundId, scenario, phase } = order;
  const environment = {
    HTTP_AE_RUN: run.id,
    HTTP_AE_ROUND: roundId,
    HTTP_AE_SCENARIO: scenario.name,
    HTTP_AE_PHASE: phase,
  };
  // A failure ends every phase but this one.
  const isLast = phase === 'tear-down';
  const problems: string[] = [];
  const unstored: Error[] = [];
  for (const script of scenario[scriptsOf[phase]]) {
    if (!isLast) context.signal.throwIfAborted();
    const executed = await executeScript(context, script, environment);
    await store((db) =>
      storeScriptExecution(db, {
        ...executed,
        roundId,
        phase,
        host: script.host,
        script: script.script,
      }),
    ).catch((error: unknown) => {
      if (!isLast) throw error;
      unstored.push(error as Error);
    });
    notify();
    if (executed.exitCode === 0) continue;
    const how = executed.isTimedOut
      ? `took longer than ${script.timeoutMs} ms`
      : executed.exitCode === null
        ? 'did not run'
        : `ended with status ${executed.exitCode}`;
    problems.push(
      `The ${phase} script of "${scenario.name}" on host "${script.host}" ${how}: ${lastLine(executed.output)}`,
    );
    log.warn({ run: run.id, round: roundId }, problems.at(-1));
    if (!isLast) break;
  }
  if (unstored[0]) throw unstored[0];
  if (problems.length > 0) throw new RoundBrokenError(problems.join('; '));
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1)?.slice(0, 500) ?? '';
}
