import { taskNames } from '#core/evaluation/pages/real-time-task.ts';
import { AppError } from '#core/app-error.ts';
import type { Exchange } from '../exchange.ts';
import { readWholeNumber } from '../objects/object-numbers.ts';
import type { OpenTasks } from './open-task-socket.ts';
import { readTaskOptions, largestMessageBytes, takeMessage, type Task, type TaskMessage } from './task.ts';
import { taskMarks } from '#core/evaluation/pages/page-mark.ts';
import { renderPage } from '../pages/render-page.ts';
import { runTask, type PageTask } from './run-task.ts';

/** `/task/…`: the page of a task, and what that page asks for. */
export async function answerTaskRequest(
  exchange: Exchange,
  { tasks, segments: [first = '', action] }: { tasks: OpenTasks; segments: readonly string[] },
): Promise<void> {
  if ((taskNames as readonly string[]).includes(first)) {
    await sendTaskPage(exchange, tasks, first);
    return;
  }
  const task = tasks.find(first);
  task.noteSocket(exchange.socket, { isNew: false });
  switch (action) {
    case 'clock':
      await sendJson(exchange, { epochMs: exchange.readEpochMs() });
      task.forgetCarried(exchange.socket);
      return;
    case 'poll':
      await answerPoll(exchange, task);
      return;
    case 'events':
      await sendEvents(exchange, task);
      return;
    case 'send':
      await receive(exchange, task);
      return;
    case 'bytes':
      await sendJson(exchange, { bytes: task.bytes });
      tasks.close(first);
      return;
    default:
      throw new AppError(
        'not-found',
        `A task has no "${action ?? ''}": clock, poll, events, send, socket and bytes are all`,
      );
  }
}

/** All messages that arose since, as soon as there is one. */
async function answerPoll(exchange: Exchange, task: Task): Promise<void> {
  const after = readWholeNumber(exchange.url.searchParams.get('after') ?? '', {
    name: '"after"',
    min: 0,
    max: task.options.messages,
  });
  task.begin();
  await task.waitForMore(after, exchange.signal);
  await sendJson(exchange, task.messagesAfter(after));
}

/** A stream of server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function sendEvents(exchange: Exchange, task: Task): Promise<void> {
  exchange.begin({ type: 'text/event-stream', headers: { 'cache-control': 'no-store' } });
  await exchange.write(': open\n\n');
  task.begin();
  let count = 0;
  while (count < task.options.messages) {
    await task.waitForMore(count, exchange.signal);
    for (const message of task.messagesAfter(count)) {
      await exchange.write(asEvent(message));
      count++;
    }
  }
  await exchange.waitForever();
}

function asEvent(message: TaskMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

async function receive(exchange: Exchange, task: Task): Promise<void> {
  takeMessage(task, await exchange.readText(largestMessageBytes(task)));
  exchange.begin({ status: 204 });
  exchange.end();
}

async function sendJson(exchange: Exchange, value: unknown): Promise<void> {
  await exchange.send({
    type: 'application/json',
    body: JSON.stringify(value),
    headers: { 'cache-control': 'no-store' },
  });
}

/** `/task/NAME?by=TECHNIQUE`: a page that exchanges messages with the origin once it has loaded. */
async function sendTaskPage(exchange: Exchange, tasks: OpenTasks, name: string): Promise<void> {
  const options = readTaskOptions(name, exchange.url.searchParams);
  const { id, task } = tasks.open(options);
  const pageTask: PageTask = { ...options, path: `/task/${id}`, instantsMs: task.instantsMs, marks: taskMarks };
  await exchange.send(
    renderPage({
      title: `Task ${name}`,
      body: `<p>${name} by ${options.by}</p>\n<script>(${runTask.toString()})(${JSON.stringify(pageTask)});</script>`,
    }),
  );
}
