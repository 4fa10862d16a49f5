import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { makeFolder } from '../installation.ts';

const PartStateSchema = z.object({
  evaluationSha256: z.string(),
  /** Of the database that has the Run. */
  instanceId: z.string(),
  runId: z.string(),
  /** Whether all of its results are written. */
  isMeasured: z.boolean(),
});
export type PartState = z.infer<typeof PartStateSchema>;

const StudyStateSchema = z.object({ study: z.string(), parts: z.record(z.string(), PartStateSchema) });

/** How far a study has come, in its folder of results. */
export class StudyState {
  readonly #file: string;
  readonly #state: z.infer<typeof StudyStateSchema>;

  private constructor(file: string, state: z.infer<typeof StudyStateSchema>) {
    this.#file = file;
    this.#state = state;
  }

  /** Makes the folder where it is missing. Throws `invalid-input` for a folder that has something else. */
  static async open(folder: string, study: string): Promise<StudyState> {
    makeFolder(folder);
    const file = path.join(folder, 'state.json');
    const state = await readState(file);
    if (state !== null && state.study !== study)
      throw new AppError(
        'invalid-input',
        `--output: ${folder} has results of the study "${state.study}": name another folder`,
      );
    return new StudyState(file, state ?? { study, parts: {} });
  }

  /** What is recorded of a part, unless its Evaluation has changed since. */
  find(part: string, evaluationSha256: string): PartState | null {
    const found = this.#state.parts[part];
    return found?.evaluationSha256 === evaluationSha256 ? found : null;
  }

  /** The parts whose Runs this database has. */
  findBegun<Part extends { name: string; evaluationSha256: string }>(
    parts: readonly Part[],
    instanceId: string,
  ): { part: Part; runId: string }[] {
    return parts.flatMap((part) => {
      const found = this.find(part.name, part.evaluationSha256);
      return found?.instanceId === instanceId ? [{ part, runId: found.runId }] : [];
    });
  }

  /** The parts that are begun, by their Runs, which this database has. */
  listUnmeasured(instanceId: string, { except }: { except: readonly string[] }): Map<string, string> {
    const begun = Object.entries(this.#state.parts).filter(
      ([name, part]) => !part.isMeasured && part.instanceId === instanceId && !except.includes(name),
    );
    return new Map(begun.map(([name, { runId }]) => [runId, name]));
  }

  /** Never half written. */
  async record(part: string, state: PartState): Promise<void> {
    this.#state.parts[part] = state;
    const draft = `${this.#file}.draft`;
    await writeFile(draft, `${JSON.stringify(this.#state, null, 2)}\n`);
    await rename(draft, this.#file);
  }
}

async function readState(file: string): Promise<z.infer<typeof StudyStateSchema> | null> {
  try {
    return StudyStateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new AppError('invalid-input', `${file} cannot be read: remove it to measure the study again`, { cause });
  }
}
