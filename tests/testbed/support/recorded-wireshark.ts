import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { readSeriesOf } from '#cli/capinfo/against/compare-captures.ts';
import { askPrograms, nameQuestion, Wireshark, type Answer } from './wireshark.ts';

const RecordSchema = z.strictObject({
  writtenBy: z.string(),
  series: z.string(),
  answers: z.record(z.string(), z.record(z.string(), z.string())),
});

export const writingCommand = 'node tests/testbed/write-recorded.ts';
/** Set by that command: what the programs answer is written down. */
export const writingVariable = 'HTTP_AE_WRITE_RECORDED';

const fileOf = (name: string) => path.resolve(import.meta.dirname, '../recorded', `${name}.json`);

/** Answers as recorded. */
export function openRecorded(name: string): Wireshark {
  const { series, answers } = RecordSchema.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
  return new Wireshark(series, (question, traces, filter) => {
    const answer = answers[nameQuestion(question, traces, filter)];
    if (answer === undefined)
      throw new Error(`No recorded answer for these bytes. Run ${writingCommand}, and look at what changed`);
    return Promise.resolve(answer);
  });
}

/** Asks the programs that are there, and records their answers when that was ordered. */
export async function openLive(name: string): Promise<Wireshark> {
  const series = (await readSeriesOf('tshark'))!;
  if (process.env[writingVariable] === undefined) return new Wireshark(series, askPrograms);
  const answers: Record<string, Answer> = {};
  afterAll(async () => {
    const record = { writtenBy: writingCommand, series, answers };
    await writeFile(fileOf(name), `${JSON.stringify(record, null, 2)}\n`);
  });
  return new Wireshark(series, async (question, traces, filter) => {
    const answer = await askPrograms(question, traces, filter);
    answers[nameQuestion(question, traces, filter)] = answer;
    return answer;
  });
}
