import { randomUUID } from 'node:crypto';
import type { Script } from '#core/evaluation/scenarios/scenario.ts';
import { AgentSilentError, askAgent } from './ask-agent.ts';
import type { RunContext } from './run-context.ts';

/** Beyond the script's own time limit, which its Agent keeps: for the way there and back. */
const answerSlackMs = 15_000;

export interface ExecutedScript {
  id: string;
  exitCode: number | null;
  isTimedOut: boolean;
  durationMs: number;
  output: string;
}

/** Has the Agent of a host run a script. An Agent that is not there, goes away or does not answer gives `exitCode: null` with the reason as output. */
export async function executeScript(
  { hub, time }: Pick<RunContext, 'hub' | 'time'>,
  script: Script,
  environment: Record<string, string>,
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
  }
}
