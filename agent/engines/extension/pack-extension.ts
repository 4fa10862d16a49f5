import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '#core/app-error.ts';
import type { Enrolment } from '#core/protocol/enrolment-link.ts';

/** The browsers that the extension is built for. */
export type ExtensionTarget = 'chrome' | 'firefox';

const built = fileURLToPath(new URL('../../../extension/dist/', import.meta.url));

/** A copy of the built extension that joins this Controller as soon as its browser starts. */
export async function packExtension(
  target: ExtensionTarget,
  { enrolment, folder }: { enrolment: Enrolment; folder: string },
): Promise<void> {
  try {
    await cp(path.join(built, target), folder, { recursive: true });
  } catch (cause) {
    throw new AppError('extension-missing', 'The browser extension is not built: run "./http-ae extension build"', {
      cause,
    });
  }
  await writeFile(path.join(folder, 'enrolment.json'), JSON.stringify(enrolment));
}
