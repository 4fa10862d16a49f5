import { randomBytes } from 'node:crypto';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { AppError } from '#core/app-error.ts';
import type { SocketArrival } from '../open-listener.ts';
import { largestMessageBytes, takeMessage, Task, type TaskOptions } from './task.ts';

const socketPath = /^\/task\/([0-9a-f]{24})\/socket$/;
const invalidPayload = 1007;

/** `/task/ID/socket`: the messages of a task over a WebSocket. Every other request for one is refused. */
export function openTaskSocket(
  { request, socket, head, connection, hasNagle }: SocketArrival,
  { tasks, readEpochMs }: { tasks: OpenTasks; readEpochMs: () => number },
): void {
  const task = findTask(tasks, request.url ?? '');
  if (!task) {
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  task.noteSocket(connection.socket, { isNew: true });
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessageBytes(task),
    perMessageDeflate: false,
  });
  server.handleUpgrade(request, socket, head, (webSocket) => {
    // The library turns the algorithm off.
    connection.socket.setNoDelay(!hasNagle);
    exchange(webSocket, { task, readEpochMs });
  });
}

function findTask(tasks: OpenTasks, url: string): Task | null {
  const id = socketPath.exec(url)?.[1];
  return id === undefined ? null : tasks.findIfAny(id);
}

function exchange(webSocket: WebSocket, { task, readEpochMs }: { task: Task; readEpochMs: () => number }): void {
  const closed = new AbortController();
  webSocket.on('close', () => closed.abort(new Error('The page closed the WebSocket')));
  // A frame that breaks the protocol; the library closes the connection.
  webSocket.on('error', () => webSocket.terminate());
  webSocket.on('message', (data: RawData) => {
    try {
      const number = takeMessage(task, (data as Buffer).toString('utf8'));
      if (task.options.task === 'client-update')
        webSocket.send(JSON.stringify({ number, arisenEpochMs: readEpochMs(), payload: '' }));
    } catch (error) {
      webSocket.close(invalidPayload, (error as Error).message);
    }
  });
  task.begin();
  void sendAll(webSocket, { task, signal: closed.signal });
}

/** Until all are sent or the page has closed the WebSocket. */
async function sendAll(webSocket: WebSocket, { task, signal }: { task: Task; signal: AbortSignal }): Promise<void> {
  let count = 0;
  try {
    while (count < task.options.messages) {
      await task.waitForMore(count, signal);
      for (const message of task.messagesAfter(count)) {
        webSocket.send(JSON.stringify(message));
        count++;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** More than Agents have pages open at one origin; the oldest is given up. */
const mostTasks = 1000;

/** The tasks of an origin that pages are at. */
export class OpenTasks implements Disposable {
  readonly #readEpochMs: () => number;
  /** Oldest first. */
  readonly #tasks = new Map<string, Task>();

  constructor(readEpochMs: () => number) {
    this.#readEpochMs = readEpochMs;
  }

  open(options: TaskOptions): { id: string; task: Task } {
    if (this.#tasks.size >= mostTasks) this.close(this.#tasks.keys().next().value!);
    const id = randomBytes(12).toString('hex');
    const task = new Task(options, this.#readEpochMs);
    this.#tasks.set(id, task);
    return { id, task };
  }

  findIfAny(id: string): Task | null {
    return this.#tasks.get(id) ?? null;
  }

  /** Throws `not-found`. */
  find(id: string): Task {
    const task = this.findIfAny(id);
    if (!task) throw new AppError('not-found', 'There is no such task, or it has ended: load its page again');
    return task;
  }

  close(id: string): void {
    this.#tasks.get(id)?.[Symbol.dispose]();
    this.#tasks.delete(id);
  }

  [Symbol.dispose](): void {
    for (const id of [...this.#tasks.keys()]) this.close(id);
  }
}
