import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ControllerClient } from '../controller/controller-client.ts';

interface HarOptions {
  client: ControllerClient;
  /** One Visit of the Run; all when left out. */
  visit: string | undefined;
  /** A file for one Visit, standard output when left out; a folder for all. */
  output: string | undefined;
}

const RowsSchema = z.array(
  z.object({ visit_id: z.string(), block: z.number(), scenario: z.string(), user_agent: z.string() }),
);
type Row = z.infer<typeof RowsSchema>[number];

/** Writes the HTTP Archive of one Visit of a Run, or of every Visit that has one, each to a file of its own. */
export async function exportHars(run: string, { client, visit, output }: HarOptions): Promise<void> {
  if (visit === undefined && output === undefined) {
    throw new AppError(
      'invalid-input',
      'Each Visit has its own HAR: name a folder with --output FOLDER, or one Visit with --visit ID',
    );
  }
  const rows = RowsSchema.parse(await (await client.openVisits(run, 'json')).json());
  if (visit === undefined) return writeAll(rows, { client, folder: output! });
  if (!rows.some((row) => row.visit_id === visit))
    throw new AppError('not-found', `Run ${run} has no Visit ${visit}: "export ${run} --format csv" lists them`);
  const har = await (await client.openHar(visit)).text();
  if (output === undefined) process.stdout.write(`${har}\n`);
  else await writeFile(output, har);
}

async function writeAll(
  rows: readonly Row[],
  { client, folder }: { client: ControllerClient; folder: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  let written = 0;
  for (const row of rows) {
    const har = await readHar(client, row.visit_id);
    if (har === null) continue;
    await writeFile(path.join(folder, nameFile(row)), har);
    written++;
  }
  const missing = rows.length - written;
  process.stderr.write(
    `${written} HARs are in ${folder}${missing > 0 ? `; ${missing} Visits failed without a Snapshot, and have none` : ''}\n`,
  );
}

/** Null when nothing was seen of its page. */
async function readHar(client: ControllerClient, visitId: string): Promise<string | null> {
  try {
    return await (await client.openHar(visitId)).text();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

function nameFile({ block, scenario, user_agent: userAgent, visit_id: visitId }: Row): string {
  return `block-${block}-${scenario}-${userAgent}-${visitId}`.replace(/[^\w.-]+/g, '_') + '.har';
}
