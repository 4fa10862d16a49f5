import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Pool } from 'pg';
import { z } from 'zod';
import { issueToken, revokeToken } from '#controller/people/tokens.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { tryLock } from './try-lock.ts';

const LedgerSchema = z.object({ instanceId: z.string(), tokenIds: z.array(z.string()) });

/** Makes tokens that are valid until it is disposed of, or, after a process that was killed, until the next start. */
export interface TokenLedger extends AsyncDisposable {
  /** The name of this process among those of the same home folder. */
  holder: string;
  issue(order: Parameters<typeof issueToken>[1]): Promise<string>;
}

/** Opens the ledger of this process, and first revokes what processes that were killed have left in the same database. */
export async function openTokenLedger({
  homeFolder,
  instanceId,
  pool,
}: {
  homeFolder: string;
  instanceId: string;
  pool: Pool;
}): Promise<TokenLedger> {
  const folder = ledgerFolder(homeFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await revokeAbandoned(folder, { instanceId, pool });

  const { holder, lock } = takeName(folder);
  const tokenIds: string[] = [];
  return {
    holder,
    // The token is valid once it is committed: a process that is killed leaves none that is not in its ledger.
    issue: (order) =>
      inTransaction(pool, async (client) => {
        const { id, token } = await issueToken(client, order);
        tokenIds.push(id);
        await writeLedger(folder, { holder, ledger: { instanceId, tokenIds } });
        return token;
      }),
    [Symbol.asyncDispose]: async () => {
      for (const id of tokenIds) await revokeToken(pool, id);
      lock.close();
      await forget(folder, holder);
    },
  };
}

/** Another start may look into a lock in the moment that it is made: then another name is taken. */
function takeName(folder: string): { holder: string; lock: DatabaseSync } {
  while (true) {
    const holder = randomBytes(8).toString('hex');
    const lock = tryLock(lockOf(folder, holder));
    if (lock !== null) return { holder, lock };
  }
}

/** Whether the process with this name still runs. */
export function isHeld(homeFolder: string, holder: string): boolean {
  const file = lockOf(ledgerFolder(homeFolder), holder);
  if (!existsSync(file)) return false;
  const lock = tryLock(file);
  lock?.close();
  return lock === null;
}

/** Tokens of another database wait until that one is started. */
async function revokeAbandoned(
  folder: string,
  { instanceId, pool }: { instanceId: string; pool: Pool },
): Promise<void> {
  for (const file of await readdir(folder)) {
    const { name: holder, ext } = path.parse(file);
    if (ext !== '.lock') continue;
    const lock = tryLock(path.join(folder, file));
    if (lock === null) continue;
    try {
      const ledger = await readLedger(folder, holder);
      if (ledger !== null && ledger.instanceId !== instanceId) continue;
      for (const id of ledger?.tokenIds ?? []) await revokeToken(pool, id);
      await forget(folder, holder);
    } finally {
      lock.close();
    }
  }
}

async function readLedger(folder: string, holder: string): Promise<z.infer<typeof LedgerSchema> | null> {
  try {
    return LedgerSchema.parse(JSON.parse(await readFile(path.join(folder, `${holder}.json`), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeLedger(
  folder: string,
  { holder, ledger }: { holder: string; ledger: z.infer<typeof LedgerSchema> },
): Promise<void> {
  const draft = path.join(folder, `${holder}.draft`);
  await writeFile(draft, JSON.stringify(ledger), { mode: 0o600 });
  await rename(draft, path.join(folder, `${holder}.json`));
}

async function forget(folder: string, holder: string): Promise<void> {
  for (const ending of ['json', 'draft', 'lock-journal', 'lock'])
    await rm(path.join(folder, `${holder}.${ending}`), { force: true });
}

function ledgerFolder(homeFolder: string): string {
  return path.join(homeFolder, 'issued-tokens');
}

function lockOf(folder: string, holder: string): string {
  return path.join(folder, `${holder}.lock`);
}
