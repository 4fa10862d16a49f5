import { randomUUID, randomBytes } from 'node:crypto';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import { unlessAborted } from '#core/waiting.ts';
import { storeScriptExecution } from '../runs/rounds.ts';
import { AgentSilentError, askAgent } from './ask-agent.ts';
import type { HttpepTls } from './draw-httpep-tls.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { Httpep, HttpepRate } from '#core/evaluation/network/httpep.ts';
import type { LinkRate } from '#core/evaluation/network/link-profile.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { ScenarioProcess } from '#core/evaluation/scenarios/scenario-process.ts';
import type { HttpepEnd } from '#core/protocol/httpep-end.ts';

/** Beyond the time in which it must be ready or end: for the way there and back. */
const answerSlackMs = 15_000;

type Answer = Extract<AgentMessage, { type: 'process-started' | 'process-checked' | 'process-ended' }>;
type Report = Pick<Answer, 'problem' | 'output'>;

interface Tracked {
  process: RunnableProcess;
  key: string;
  /** In this Round, or kept from an earlier one. */
  isStarted: boolean;
  /** Why it is lost, with its last words; null while it runs. */
  loss: Report | null;
  output: string[];
  readyMs: number;
}

interface RoundOfProcesses {
  roundId: string;
  scenario: Scenario;
  /** Without it, HTTPEP leaves TLS as it is. What is only ended needs none. */
  tls?: HttpepTls | null;
}

/** The processes of a Scenario in one Round: started in order, watched, ended in reverse, their output kept with the Round. */
export class ScenarioProcesses implements Disposable {
  readonly #context: RunContext;
  readonly #round: RoundOfProcesses;
  readonly #processes: Tracked[];
  #onLoss: (problem: string) => void = () => undefined;

  constructor(context: RunContext, round: RoundOfProcesses) {
    this.#context = context;
    this.#round = round;
    this.#processes = listProcesses(context.run.evaluation, round.scenario, round.tls ?? null).map((process) => ({
      process,
      key: processKeyOf(context.run.id, round.scenario.name, process.name),
      isStarted: false,
      loss: null,
      output: [],
      readyMs: 0,
    }));
    context.hub.on('message', this.#handleMessage);
  }

  [Symbol.dispose](): void {
    this.#context.hub.off('message', this.#handleMessage);
  }

  /** Calls this with the reason when a process is lost, at once if one is. */
  watch(onLoss: (problem: string) => void): void {
    this.#onLoss = onLoss;
    for (const tracked of this.#processes) if (tracked.loss) onLoss(this.#describe(tracked, tracked.loss));
  }

  /** Resolves when all are ready. Throws RoundBrokenError when one is not in time. */
  async start(): Promise<void> {
    const { scenario, roundId } = this.#round;
    const { run, signal } = this.#context;
    for (const tracked of this.#processes) {
      signal.throwIfAborted();
      const { process } = tracked;
      tracked.isStarted = true;
      // One that is kept for the Run is there since an earlier Round, unless it has ended since.
      if (process.lifetime === 'run' && (await this.#ask(tracked, 'check-process')).problem === null) continue;
      const startMs = performance.now();
      const { readyWhen = null, timeoutMs } = process;
      const environment = {
        ...process.environment,
        HTTP_AE_RUN: run.id,
        HTTP_AE_ROUND: roundId,
        HTTP_AE_SCENARIO: scenario.name,
        HTTP_AE_PHASE: 'process',
      };
      const program = process.command ?? process.httpep;
      const order = { runId: run.id, program, environment, readyWhen, timeoutMs };
      const report = await unlessAborted(this.#ask(tracked, 'start-process', order), signal);
      tracked.readyMs = performance.now() - startMs;
      if (report.problem === null) continue;
      tracked.loss = report;
      throw new RoundBrokenError(this.#describe(tracked, report));
    }
  }

  /** Throws RoundBrokenError when one does not run, or is not ready, any more. */
  async requireReady(): Promise<void> {
    for (const tracked of this.#processes) {
      const report = tracked.loss ?? (await this.#ask(tracked, 'check-process'));
      if (report.problem === null) continue;
      tracked.loss = report;
      throw new RoundBrokenError(this.#describe(tracked, report));
    }
  }

  /** Ends those that last for one Round, and stores what all printed in it. Throws RoundBrokenError when an Agent does not answer. */
  async end(): Promise<void> {
    const problems: string[] = [];
    for (const tracked of this.#processes.toReversed()) {
      const lasts = tracked.process.lifetime === 'run';
      if (lasts && !tracked.isStarted) continue;
      const report = await this.#ask(tracked, lasts ? 'check-process' : 'end-process');
      if (report.problem !== null && !lasts) problems.push(this.#describe(tracked, report));
      if (tracked.isStarted) await this.#store(tracked);
    }
    if (problems.length > 0) throw new RoundBrokenError(problems.join('; '));
  }

  /** Ends those that last for the Run. An Agent that does not answer ends them itself. */
  async endOfRun(): Promise<void> {
    for (const tracked of this.#processes.toReversed())
      if (tracked.process.lifetime === 'run') await this.#ask(tracked, 'end-process');
  }

  async #ask(
    tracked: Tracked,
    type: 'start-process' | 'check-process' | 'end-process',
    details?: Omit<Extract<ControllerMessage, { type: 'start-process' }>, 'type' | 'processKey'>,
  ): Promise<Report> {
    const { process, key } = tracked;
    const { hub, time } = this.#context;
    if (process.command !== undefined && hub.factsOf(process.host)?.scriptsAllowed === false)
      return { problem: `was not started: Agent "${process.host}" runs without --allow-scripts`, output: '' };
    const answerType = {
      'start-process': 'process-started',
      'check-process': 'process-checked',
      'end-process': 'process-ended',
    } as const;
    try {
      const answer = await askAgent(hub, {
        agent: process.host,
        message: { type, processKey: key, ...details } as ControllerMessage,
        timeoutMs: process.timeoutMs + answerSlackMs,
        sleep: time.sleep,
        readAnswer: (message) => (message.type === answerType[type] && message.processKey === key ? message : null),
      });
      tracked.output.push(answer.output);
      return answer;
    } catch (error) {
      if (error instanceof AgentSilentError) return { problem: error.message, output: '' };
      throw error;
    }
  }

  readonly #handleMessage = (agent: string, message: AgentMessage): void => {
    if (message.type !== 'process-lost') return;
    const tracked = this.#processes.find(({ key, process }) => key === message.processKey && process.host === agent);
    if (!tracked || tracked.loss) return;
    tracked.loss = message;
    tracked.output.push(message.output);
    this.#onLoss(this.#describe(tracked, message));
  };

  #describe({ process, output }: Tracked, { problem }: Report): string {
    const last = output.join('').trimEnd().split('\n').at(-1)?.slice(0, 500) ?? '';
    const words = last === '' ? '' : `: ${last}`;
    return `The process "${process.name}" of "${this.#round.scenario.name}" on host "${process.host}" ${problem}${words}`;
  }

  async #store({ process, loss, output, readyMs }: Tracked): Promise<void> {
    const { name, host } = process;
    const { roundId } = this.#round;
    const id = randomUUID(); // one for all tries: a database that went away may have stored it
    await this.#context.store((db) =>
      storeScriptExecution(db, {
        id,
        roundId,
        phase: 'process',
        name,
        host,
        script: process.command ?? `http-ae pep ${process.httpep.end}`,
        exitCode: null,
        isTimedOut: false,
        durationMs: readyMs,
        output: output.join(''),
        ...(loss && { problem: loss.problem ?? 'was lost' }),
      }),
    );
    this.#context.notify();
  }
}

/** Names a process of a Scenario to its Agent: the same on every try, so that a later Controller can end it. */
function processKeyOf(runId: string, scenario: string, process: string): string {
  return [runId, scenario, process].map((part) => part.replaceAll('/', '%2F')).join('/');
}

/** A process of a Scenario: a shell command, or one end of HTTPEP. */
type RunnableProcess = Omit<ScenarioProcess, 'command'> &
  ({ command: string; httpep?: undefined } | { command?: undefined; httpep: HttpepEnd });

/** The processes of a Scenario in the order in which they start: HTTPEP, then its own. `tls`: of HTTPEP in this Round. */
function listProcesses(
  { userAgents, pageLoad }: Pick<Evaluation, 'userAgents' | 'pageLoad'>,
  { browser, httpep, network, processes }: Pick<Scenario, 'browser' | 'httpep' | 'network' | 'processes'>,
  tls: HttpepTls | null,
): RunnableProcess[] {
  if (!httpep) return processes;
  const { ground, remote, connections, clients, paceRatio, scheduler, bundling, text, images, imageQuality } = httpep;
  const key = randomBytes(32).toString('base64');
  const common = { environment: {}, lifetime: 'round', timeoutMs: 30_000 } as const;
  const rate = network && resolveLinkProfile(network.link).forward.rate;
  return [
    {
      ...common,
      name: 'HTTPEP, ground end',
      host: ground.host,
      readyWhen: { line: 'Listening on' },
      httpep: {
        end: 'ground',
        listen: ground.address,
        key,
        rateKbps: httpep.rateKbps ?? rateOf(rate),
        paceRatio,
        scheduler,
        bundling,
        text,
        images,
        imageQuality,
        trustedKeys: [...(tls?.originKeys ?? [])],
        viewport: browser.viewport ?? pageLoad.viewport,
        classes: httpep.classes ? usersByClass(httpep.classes, userAgents) : null,
      },
    },
    {
      ...common,
      name: 'HTTPEP, remote end',
      host: remote.host,
      readyWhen: { line: 'The tunnel stands' },
      httpep: {
        end: 'remote',
        listen: remote.address,
        key,
        ground: ground.address,
        connections,
        clients,
        tlsKey: tls?.privateKey ?? null,
      },
    },
    ...processes,
  ];
}

/** Null where the link has no limit. */
function rateOf(rate: LinkRate | undefined): HttpepRate | null {
  if (rate?.kind === 'constant') return rate.kbps;
  return rate?.kind === 'unlimited' ? null : 'auto';
}

function usersByClass(classes: NonNullable<Httpep['classes']>, userAgents: Evaluation['userAgents']) {
  return Object.fromEntries(
    Object.entries(classes).map(([name, weight]) => {
      const users = userAgents.flatMap(({ userClass, sourceAddress }) =>
        userClass === name && sourceAddress !== undefined ? [sourceAddress] : [],
      );
      return [name, { weight, users: [...new Set(users)] }];
    }),
  );
}
