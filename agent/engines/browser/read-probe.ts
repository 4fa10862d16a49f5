import { readFile } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';

const probeFile = new URL('../../../probe/dist/page-probe.js', import.meta.url);

/** The text of the built probe. Throws `probe-missing`. */
export async function readProbe(): Promise<string> {
  try {
    return await readFile(probeFile, 'utf8');
  } catch (cause) {
    throw new AppError(
      'probe-missing',
      'The probe that runs in the pages is not built: start by ./http-ae, which builds it',
      { cause },
    );
  }
}
