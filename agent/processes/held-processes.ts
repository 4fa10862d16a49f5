import type { Logger } from 'pino';
import { describeProblem, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { isInTestbed, writeHttpepCommand, type HttpepCommand } from './httpep-command.ts';
import { ScenarioProcessRunner, findContainment } from './scenario-process-runner.ts';

/** A Controller that is away for so long has given the Run up, or a new one starts the processes again. */
const lineGraceMs = 60_000;

type Order = Extract<ControllerMessage, { type: 'start-process' | 'check-process' | 'end-process' }>;
type StartOrder = Extract<Order, { type: 'start-process' }>;

interface Report {
  problem: string | null;
  output: string;
}

const notRunning: Report = { problem: 'does not run', output: '' };

const answers = {
  'start-process': 'process-started',
  'check-process': 'process-checked',
  'end-process': 'process-ended',
} as const satisfies Record<Order['type'], AgentMessage['type']>;

export interface HeldProcessesOptions {
  send: (message: AgentMessage) => void;
  log: Logger;
  /** Whether the operator of this host allows the commands of a Controller. */
  mayRun: boolean;
  /** The words that start HTTP-AE on this host. */
  launcher: readonly string[];
}

interface Held {
  runId: string;
  runner: ScenarioProcessRunner;
  /** Of HTTPEP; null for a command. */
  files: HttpepCommand | null;
}

/** The processes of Scenarios on this host. */
export class HeldProcesses {
  readonly #send: (message: AgentMessage) => void;
  readonly #log: Logger;
  readonly #mayRun: boolean;
  readonly #launcher: readonly string[];
  readonly #processes = new Map<string, Held>();
  /** Those whose end was ordered before they were started. */
  readonly #calledOff = new Set<string>();
  #containment: Promise<readonly string[]> | null = null;
  #grace: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Orders are carried out one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ send, log, mayRun, launcher }: HeldProcessesOptions) {
    this.#send = send;
    this.#launcher = launcher;
    this.#log = log;
    this.#mayRun = mayRun;
  }

  handle(order: Order): void {
    // What is not ready yet would hold this order up.
    if (order.type === 'end-process') {
      const held = this.#processes.get(order.processKey);
      if (held) void held.runner.end();
      else this.#calledOff.add(order.processKey);
    }
    this.#last = this.#last.then(() => this.#answer(order));
  }

  handleConnect(): void {
    clearTimeout(this.#grace);
  }

  handleDisconnect(): void {
    clearTimeout(this.#grace);
    if (this.#processes.size > 0) {
      this.#grace = setTimeout(() => {
        this.#endAll().catch((error: unknown) => this.#log.error({ err: error }, 'Processes could not be ended'));
      }, lineGraceMs);
    }
  }

  /** Ends all, and starts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#grace);
    await this.#endAll();
    await this.#last;
  }

  async #answer(order: Order): Promise<void> {
    const { type, processKey } = order;
    const report = await this.#carryOut(order).catch((error: unknown): Report => {
      this.#log.error({ err: error }, `The order ${type} could not be carried out`);
      return { problem: describeProblem(error, 'could not be handled by its Agent: '), output: '' };
    });
    this.#send({ type: answers[type], processKey, ...report });
  }

  async #carryOut(order: Order): Promise<Report> {
    const { processKey } = order;
    switch (order.type) {
      case 'start-process':
        return this.#start(order);
      case 'check-process': {
        const runner = this.#processes.get(processKey)?.runner;
        return runner ? { problem: await runner.check(), output: runner.takeOutput() } : notRunning;
      }
      case 'end-process':
        this.#calledOff.delete(processKey);
        return { problem: null, output: await this.#end(processKey) };
    }
  }

  async #start({ processKey, runId, program, environment, readyWhen, timeoutMs }: StartOrder): Promise<Report> {
    const isCommand = typeof program === 'string';
    if (!this.#mayRun && (isCommand || !isInTestbed(program)))
      return { problem: 'was not started: this Agent runs without --allow-scripts', output: '' };
    for (const [key, held] of [...this.#processes])
      if (held.runId !== runId || key === processKey) await this.#end(key);
    this.#containment ??= findContainment();
    const containment = await this.#containment;
    if (this.#isClosed) return { problem: 'was not started: this Agent is stopping', output: '' };
    const files = isCommand ? null : await writeHttpepCommand(this.#launcher, program);
    if (this.#calledOff.has(processKey)) {
      await files?.[Symbol.asyncDispose]();
      return { problem: 'was ended before it was started', output: '' };
    }
    const command = isCommand ? program : files!.command;
    const runner = new ScenarioProcessRunner({ command, environment, readyWhen, timeoutMs }, containment);
    this.#processes.set(processKey, { runId, runner, files });
    const problem = await runner.untilReady();
    if (problem !== null) return { problem, output: await this.#end(processKey) };
    runner.on('lost', () => void this.#reportLoss(processKey, runner));
    return { problem: await runner.check(), output: runner.takeOutput() };
  }

  async #reportLoss(processKey: string, runner: ScenarioProcessRunner): Promise<void> {
    const problem = await runner.check();
    this.#send({ type: 'process-lost', processKey, problem, output: runner.takeOutput() });
  }

  /** Its last output; empty when it does not run. */
  async #end(processKey: string): Promise<string> {
    const held = this.#processes.get(processKey);
    if (!held) return '';
    await held.runner.end();
    this.#processes.delete(processKey);
    const counters = (await held.files?.readCounters()) ?? '';
    await held.files?.[Symbol.asyncDispose]();
    return held.runner.takeOutput() + counters;
  }

  async #endAll(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((key) => this.#end(key)));
  }
}
