import type { Scenario, Script } from '#core/evaluation/scenarios/scenario.ts';
import { storeScriptExecution } from '../runs/rounds.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';
import { randomUUID } from 'node:crypto';
import { AgentSilentError, askAgent } from './ask-agent.ts';

/** Beyond the script's own time limit, which its Agent keeps: for the way there and back. */
const answerSlackMs = 15_000;

interface ExecutedScript {
  id: string;
  exitCode: number | null;
  isTimedOut: boolean;
  durationMs: number;
  output: string;
}

const scriptsOf = { 'set-up': 'setUp', 'after-network': 'afterNetwork', 'tear-down': 'tearDown' } as const;

/**
 * Runs the scripts of one phase of a Scenario, one after the other, and stores what they printed. The first that
 * fails ends the phase, but every tear-down script is run, even after others failed. Throws RoundBrokenError when any failed, the signal's
 * reason when that is aborted: it ends any script but those of the tear-down.
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
    const executed = await executeScript(context, script, { environment, ...(!isLast && { signal: context.signal }) });
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
    if (!isLast) context.signal.throwIfAborted();
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

/** Has the Agent of a host run a script. An Agent that is not there, goes away or does not answer gives `exitCode: null` with the reason as output. */
async function executeScript(
  { hub, time }: Pick<RunContext, 'hub' | 'time'>,
  script: Script,
  { environment, signal }: { environment: Record<string, string>; signal?: AbortSignal },
): Promise<ExecutedScript> {
  const { host, timeoutMs } = script;
  const orderId = randomUUID();
  const failed = (output: string): ExecutedScript => ({
    id: orderId,
    exitCode: null,
    isTimedOut: false,
    durationMs: 0,
    output,
  });
  if (hub.factsOf(host)?.scriptsAllowed === false)
    return failed(`Agent "${host}" runs without --allow-scripts: start it with that option`);
  const end = () => hub.send(host, { type: 'end-script', orderId });
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await askAgent(hub, {
      agent: host,
      message: { type: 'run-script', orderId, script: script.script, timeoutMs, environment },
      timeoutMs: timeoutMs + answerSlackMs,
      sleep: time.sleep,
      readAnswer: (message) => {
        if (message.type !== 'script-ended' || message.orderId !== orderId) return null;
        const { exitCode, isTimedOut, durationMs, output } = message;
        return { id: orderId, exitCode, isTimedOut, durationMs, output };
      },
    });
  } catch (error) {
    if (error instanceof AgentSilentError) return failed(error.message);
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
