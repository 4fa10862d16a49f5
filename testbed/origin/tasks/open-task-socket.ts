import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { SocketArrival } from '../open-listener.ts';
import { largestMessageBytes, takeMessage, type Task } from './task.ts';
import type { OpenTasks } from './open-tasks.ts';

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
