import { randomBytes } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import { Task, type TaskOptions } from './task.ts';

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
