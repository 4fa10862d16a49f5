import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';

/** The browser refused a command. https://w3c.github.io/webdriver-bidi/#errors */
export class BidiError extends Error {
  override readonly name = 'BidiError';
  /** Such as `no such frame`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const MessageSchema = z.union([
  z.object({ type: z.literal('success'), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal('error'), id: z.number().nullable(), error: z.string(), message: z.string() }),
  z.object({ type: z.literal('event'), method: z.string(), params: z.unknown() }),
]);

export interface BidiOptions {
  url: string;
  /** The longest that any command may rightly take. */
  answerWithinMs: number;
  signal?: AbortSignal;
}

type Listener = (params: unknown) => void;

/** WebDriver BiDi over a WebSocket: commands with their answers, and events in the order that the browser sends them. https://w3c.github.io/webdriver-bidi/ */
export class BidiConnection {
  readonly #socket: WebSocket;
  readonly #answerWithinMs: number;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #closed = new AbortController();
  #lastId = 0;

  static async open({ url, answerWithinMs, signal }: BidiOptions): Promise<BidiConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 28 });
    const connection = new BidiConnection(socket, answerWithinMs);
    try {
      await once(socket, 'open', signal && { signal });
    } catch (error) {
      socket.terminate();
      throw error;
    }
    return connection;
  }

  private constructor(socket: WebSocket, answerWithinMs: number) {
    this.#socket = socket;
    this.#answerWithinMs = answerWithinMs;
    socket.on('message', (data) => {
      try {
        this.#handle(data);
      } catch (error) {
        // What cannot be read costs the Visit, and not the program.
        const problem = `The browser sent what HTTP-AE cannot read, please report it: ${(error as Error).message}`;
        this.#close(new AppError('browser-failed', problem));
        socket.terminate();
      }
    });
    socket.on('close', () => this.#close(new BidiError('closed', 'The browser is gone')));
    // 'close' follows, and rejects all that wait.
    socket.on('error', () => socket.terminate());
  }

  /** Aborted when the connection is over, which is before the commands that were under way are rejected. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** The answer is any JSON: parse it. Throws a BidiError when the browser refuses. */
  async send(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    const overdue = setTimeout(
      () => answer.reject(new BidiError('timeout', `${method}: no answer within ${this.#answerWithinMs} ms`)),
      this.#answerWithinMs,
    );
    this.#pending.set(id, answer);
    try {
      if (this.#closed.signal.aborted) throw new BidiError('closed', `${method}: the browser is gone`);
      this.#socket.send(JSON.stringify({ id, method, params }));
      return await answer.promise;
    } finally {
      clearTimeout(overdue);
      this.#pending.delete(id);
    }
  }

  /** Hears an event until disposed of. Its parameters are any JSON: parse them. */
  on(method: string, listener: Listener): Disposable {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners.add(listener));
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  }

  end(): void {
    this.#socket.terminate();
  }

  #handle(data: RawData): void {
    // A text frame is one Buffer.
    const message = MessageSchema.parse(JSON.parse((data as Buffer).toString()));
    if (message.type === 'event') {
      for (const listener of [...(this.#listeners.get(message.method) ?? [])]) listener(message.params);
      return;
    }
    const answer = message.id === null ? undefined : this.#pending.get(message.id);
    if (message.type === 'success') answer?.resolve(message.result);
    else answer?.reject(new BidiError(message.error, message.message));
  }

  #close(problem: Error): void {
    this.#closed.abort(problem);
    for (const answer of this.#pending.values()) answer.reject(problem);
  }
}

/** For commands whose receiver may go away before it answers: dialogs, pop-ups, tabs, a browser that ends. */
export async function ignoreRefusal(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof BidiError)) throw error;
  }
}
