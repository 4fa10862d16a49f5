import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { JourneySchema } from '#core/evaluation/journey/journey.ts';
import { inlineFiles } from './inline-files.ts';

/** Puts the recording of each file that a `journey: { file: PATH }` of a YAML text names in its place. */
export function inlineJourneys(yaml: string, yamlFile: string): Promise<string> {
  return inlineFiles(yaml, yamlFile, { key: 'journey', content: 'steps', read: readRecording });
}

/** A recording of Chrome’s Recorder, exported as JSON. Throws `invalid-input`. */
async function readRecording(file: string): Promise<Record<string, unknown>> {
  let recording: unknown;
  try {
    recording = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `${file} cannot be read (${(cause as Error).message}): journey.file must name a recording of Chrome’s Recorder, exported as JSON, by its path from the YAML file`,
      { cause },
    );
  }
  const { data, error } = JourneySchema.safeParse(recording);
  if (data) return data;
  const [{ path, message }] = error.issues as [(typeof error.issues)[number]];
  throw new AppError('invalid-input', `${file}: ${path.join('.')} ${message}`);
}
