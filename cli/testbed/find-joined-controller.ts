import { AppError } from '#core/app-error.ts';
import type { TokenSummary } from '#core/protocol/api/access.ts';
import { readProcess } from '#testbed/namespaces/namespace-name.ts';
import { findLocalController, readLocalAccess, type LocalAccess } from '../controller/controller-access.ts';
import { OwnerClient } from '../controller/owner-client.ts';
import type { TestbedOptions } from './testbed-options.ts';

/** Of the tokens that are made here; the number of the process follows. */
const namePrefix = './http-ae testbed up, process ';

/** The Controller that a testbed joins, and an agent token for it, which may be valid only until this is disposed of. */
export interface JoinedController extends AsyncDisposable {
  url: string;
  token: string;
}

/**
 * What the options say, or with `--join` the Controller that this user runs on this machine; null where the testbed joins none. Throws `invalid-input` when there
 * is no such Controller, or no token for it.
 */
export async function findJoinedController(
  { controller, token, join }: Pick<TestbedOptions, 'controller' | 'token' | 'join'>,
  { homeFolder, say, signal }: { homeFolder: string; say: (line: string) => void; signal: AbortSignal },
): Promise<JoinedController | null> {
  if (controller !== undefined && token !== undefined)
    return { url: controller, token, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (controller !== undefined) {
    const local = await readLocalAccess(homeFolder);
    if (local && [local.url, local.publicUrl].includes(controller)) return issue(local, { say, signal });
    throw new AppError(
      'invalid-input',
      '--controller needs a token: "./http-ae token create --agent" on the machine of the Controller prints one. Pass it by --token or HTTP_AE_TOKEN',
    );
  }
  return join ? issue(await findLocalController(homeFolder), { say, signal }) : null;
}

async function issue(
  local: LocalAccess,
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<JoinedController> {
  const owner = new OwnerClient(local, signal);
  await revokeAbandoned(owner);
  const name = `${namePrefix}${process.pid}`;
  const { id, token } = await owner.createToken({ scope: 'agent', name, agentName: null });
  return {
    url: local.url,
    token,
    [Symbol.asyncDispose]: async () => {
      try {
        // The signal that ended the testbed is not to end this.
        await new OwnerClient(local, new AbortController().signal).revokeToken(id);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        say(`The token "${name}" is not revoked (${error.message}): revoke it under Settings → Tokens`);
      }
    },
  };
}

/** A testbed that was killed has left its token. */
async function revokeAbandoned(owner: OwnerClient): Promise<void> {
  for (const token of await owner.listTokens()) if (isAbandoned(token)) await owner.revokeToken(token.id);
}

/** Whether a token that holds is of a testbed whose process is gone. */
export function isAbandoned({ name, revokedAt }: Pick<TokenSummary, 'name' | 'revokedAt'>): boolean {
  if (revokedAt !== null || !name.startsWith(namePrefix)) return false;
  return readProcess(Number(name.slice(namePrefix.length))) === null;
}
