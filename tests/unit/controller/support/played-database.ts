import type { Pool } from 'pg';
import { settle } from '#tests/support/held-time.ts';

interface Statement {
  text: string;
  answer: PromiseWithResolvers<{ rows: object[]; rowCount: number }>;
}

/** A database whose part the test plays: a statement that it does not know waits until the test answers it, or without end. */
export class PlayedDatabase {
  /** Rows that it answers with at once to a statement with this text in it. The first that fits counts. */
  readonly knows = new Map<string, () => object[]>();
  /** All that it was asked, answered or not, each with its values. */
  readonly heard: string[] = [];
  #waiting: Statement[] = [];
  readonly #query = (text: string, values: unknown[] = []) => {
    this.heard.push(`${text} ${JSON.stringify(values)}`);
    const known = [...this.knows].find(([part]) => text.includes(part));
    const rows = known?.[1]();
    if (rows) return Promise.resolve({ rows, rowCount: rows.length });
    const answer: Statement['answer'] = Promise.withResolvers();
    this.#waiting.push({ text, answer });
    return answer.promise;
  };
  /** As far as one statement outside of a transaction goes. */
  readonly pool = { query: this.#query } as unknown as Pool;

  /** Those that wait for an answer. */
  get asked(): string[] {
    return this.#waiting.map(({ text }) => text);
  }

  /** Answers all that it was asked. Resolves when what waited for the answer has gone on. */
  answer(rows: object[]): Promise<void> {
    return this.#end(({ resolve }) => resolve({ rows, rowCount: rows.length }));
  }

  /** Fails in all that it was asked. */
  fail(error: Error): Promise<void> {
    return this.#end(({ reject }) => reject(error));
  }

  #end(each: (answer: Statement['answer']) => void): Promise<void> {
    for (const { answer } of this.#waiting.splice(0)) each(answer);
    return settle();
  }
}
