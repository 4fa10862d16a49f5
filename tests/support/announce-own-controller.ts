import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { announceController } from '#cli/up/open-controller.ts';
import { tryLock } from '#cli/home/try-lock.ts';

/** Announces a Controller as that of this OS user, as `./http-ae up` does, of a process that lives as long as this one. */
export async function announceOwnController(
  homeFolder: string,
  { url, token = 'hae_own', ownerToken }: { url: string; token?: string; ownerToken: string },
): Promise<AsyncDisposable> {
  const folder = path.join(homeFolder, 'issued-tokens');
  await mkdir(folder, { recursive: true });
  const lock = tryLock(path.join(folder, `${token}.lock`));
  const announced = await announceController(homeFolder, { url, token, publicUrl: url, ownerToken, holder: token });
  return {
    async [Symbol.asyncDispose]() {
      await announced[Symbol.asyncDispose]();
      lock!.close();
    },
  };
}
