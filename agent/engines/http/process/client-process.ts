import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AppError } from '#core/app-error.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { SessionReportSchema, type SessionOptions, type SessionOrder, type SessionReport } from './session-messages.ts';

const program = fileURLToPath(new URL('./session-process.ts', import.meta.url));

/** Nothing of the Agent's own, such as its token. */
const inherited = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'NODE_EXTRA_CA_CERTS'];

/** The process of one session. Disposing of it ends it. */
export class ClientProcess implements AsyncDisposable {
  /** Aborted once the process is gone. */
  readonly gone: AbortSignal;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  /** Throws `browser-failed` when it does not become ready. */
  static async start(options: SessionOptions, signal?: AbortSignal): Promise<ClientProcess> {
    signal?.throwIfAborted();
    const started = new ClientProcess(options);
    const onAbort = () => void started.#child.kill('SIGKILL');
    signal?.addEventListener('abort', onAbort);
    try {
      const report = await started.#nextReport();
      if (report.kind === 'ready') return started;
      throw new Error(report.kind === 'failed' ? report.problem : 'it spoke out of turn');
    } catch (cause) {
      await started[Symbol.asyncDispose]();
      signal?.throwIfAborted();
      throw new AppError('browser-failed', `The http client did not start: ${(cause as Error).message}`, { cause });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  private constructor(options: SessionOptions) {
    const env = Object.fromEntries(
      inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    this.#child = fork(program, [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env,
    });
    const gone = new AbortController();
    this.gone = gone.signal;
    this.#closed = once(this.#child, 'close').finally(() =>
      gone.abort(new Error('The process of the http client ended')),
    );
    this.#closed.catch(() => undefined); // `#nextReport` reports one that could not be started
  }

  get processId(): number {
    return this.#child.pid!;
  }

  /** Rejects when the process ends before it is done. */
  async visit(url: string): Promise<VisitOutcome> {
    const order: SessionOrder = { url };
    this.#child.send(order, () => undefined); // `#nextReport` reports that it is gone
    const report = await this.#nextReport();
    if (report.kind !== 'visited') throw new Error('The process of the http client spoke out of turn');
    return report.outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed.catch(() => undefined);
  }

  async #nextReport(): Promise<SessionReport> {
    const [message] = (await once(this.#child, 'message', { signal: this.gone })) as [unknown];
    return SessionReportSchema.parse(message);
  }
}
