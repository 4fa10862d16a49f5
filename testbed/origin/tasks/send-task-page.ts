import { taskMarks } from '#core/evaluation/pages/page-mark.ts';
import type { Exchange } from '../exchange.ts';
import { renderPage } from '../pages/render-page.ts';
import { runTask, type PageTask } from './run-task.ts';
import type { OpenTasks } from './open-tasks.ts';
import { readTaskOptions } from './task-options.ts';

/** `/task/NAME?by=TECHNIQUE`: a page that exchanges messages with the origin once it has loaded. */
export async function sendTaskPage(exchange: Exchange, tasks: OpenTasks, name: string): Promise<void> {
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
