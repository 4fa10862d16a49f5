import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import type { TestbedSwitch } from '#controller/http/services.ts';
import type { TestbedState } from '#core/protocol/api/testbed-state.ts';
import { mayEnterUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import type { TokenLedger } from '../home/token-ledger.ts';
import { launcher } from '../installation.ts';

/** How a testbed reaches the Controller that it joins. */
interface Way {
  controllerUrl: string;
  ledger: Pick<TokenLedger, 'issue'>;
}

const endWithinMs = 30_000;
/** What a person is shown of the last lines of a testbed that failed. */
const mostReasonCharacters = 2000;

/** Runs `testbed up` in a process of its own while a person wants it, and at most until disposed of. */
export class OwnTestbed implements TestbedSwitch, AsyncDisposable {
  readonly #homeFolder: string;
  #way: Way | null = null;
  #state: TestbedState = { kind: 'off', reason: null };
  #ending = new AbortController();
  #running: Promise<void> | null = null;
  #token: Promise<string> | null = null;

  constructor(homeFolder: string) {
    this.#homeFolder = homeFolder;
  }

  /** From now on it can be started. */
  connect(way: Way): void {
    this.#way = way;
  }

  async readState(): Promise<TestbedState> {
    if (this.#state.kind !== 'off') return this.#state;
    const reason = this.#way === null ? 'The Controller is still starting' : await findReason();
    return reason === null ? this.#state : { kind: 'unavailable', reason };
  }

  start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #run(): Promise<void> {
    const { signal } = (this.#ending = new AbortController());
    this.#state = { kind: 'starting', step: '' };
    let reason: string | null = null;
    try {
      reason = await this.#hold(signal);
    } catch (error) {
      reason = `The testbed could not be started: ${String(error)}`;
    } finally {
      this.#state = { kind: 'off', reason: signal.aborted ? null : reason };
    }
  }

  /** Resolves when it has ended, with what it said last. It never outlives this process: its channel then closes. */
  async #hold(signal: AbortSignal): Promise<string> {
    const { controllerUrl, ledger } = this.#way!;
    const name = `Testbed of ./http-ae up on ${hostname()}`;
    const token = await (this.#token ??= ledger.issue({ name, scope: 'agent', agentName: null }));
    if (signal.aborted) return '';
    const [program, ...args] = [...launcher, 'testbed', 'up', 'geo-1m', '--origin', '--json'];
    const child = spawn(program, args, {
      env: {
        ...process.env,
        HTTP_AE_CONTROLLER: controllerUrl,
        HTTP_AE_TOKEN: token,
        HTTP_AE_HOME: this.#homeFolder,
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C reaches the whole group of a terminal: this process decides when it ends.
      detached: true,
    });
    let said = '';
    createInterface(child.stderr!).on('line', (line) => {
      said = `${said}${line}\n`.slice(-mostReasonCharacters);
      if (this.#state.kind === 'starting')
        this.#state = { kind: 'starting', step: line.slice(0, mostReasonCharacters) };
    });
    // A line of JSON, once its hosts have joined.
    child.stdout!.once('data', () => (this.#state = { kind: 'on' }));
    const closed = once(child, 'close');
    const kill = () => {
      child.kill('SIGTERM');
      const overdue = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
      child.once('exit', () => clearTimeout(overdue));
    };
    signal.addEventListener('abort', kill, { once: true });
    await closed;
    return said.trim() || 'The testbed ended, and did not say why';
  }
}

/** Why this machine can have no testbed, as far as is known before it is tried. */
async function findReason(): Promise<string | null> {
  if (process.platform !== 'linux') return 'The Controller’s machine has no Linux, which a testbed needs';
  if (process.getuid!() === 0 || (await mayEnterUserNamespace())) return null;
  return 'The Controller runs without root, and its machine allows no user namespaces: see Help, Testbed';
}
