import { hostname } from 'node:os';
import { AppError } from '#core/app-error.ts';
import type { TokenSummary } from '#core/protocol/api/access.ts';
import { findLocalController } from './controller-access.ts';
import { OwnerClient } from './owner-client.ts';
import { findHome } from '../installation.ts';
import { showPlainly } from '../plain-text.ts';
import { watchInterrupts } from '../watch-interrupts.ts';

export type TokenAction = 'create' | 'list' | 'revoke';

export interface TokenOptions {
  /** True: for any name. */
  agent?: string | true;
  api?: true;
  role: 'viewer' | 'evaluator';
  name?: string;
  json?: true;
  verbose?: true;
}

/** Makes, lists or revokes tokens of the Controller that runs on this machine. */
export async function runToken(
  { action, id }: { action: TokenAction; id: string | undefined },
  options: TokenOptions,
): Promise<void> {
  using interrupts = watchInterrupts();
  const client = new OwnerClient(await findLocalController(findHome(process.env)), interrupts.signal);
  const print = (text: string, document: unknown) =>
    void process.stdout.write(`${options.json ? JSON.stringify(document) : text}\n`);

  if (action === 'revoke') {
    if (id === undefined)
      throw new AppError(
        'invalid-input',
        '"token revoke" needs the number of a token: "./http-ae token list" prints the numbers',
      );
    await client.revokeToken(id);
    print(`Token ${id} is revoked`, { id });
    return;
  }
  if (id !== undefined) throw new AppError('invalid-input', `"token ${action}" takes no ID, but "${id}" was given`);
  if (action === 'list') {
    const valid = (await client.listTokens()).filter(({ revokedAt }) => revokedAt === null);
    print(valid.length === 0 ? 'No tokens' : valid.map(describeToken).map(showPlainly).join('\n'), valid);
    return;
  }
  const made = await client.createToken(requestOf(options));
  print(made.token, made);
}

function requestOf({
  agent,
  api,
  role,
  name = `Created by ./http-ae token on ${hostname()}`,
}: TokenOptions): Parameters<OwnerClient['createToken']>[0] {
  if (api) return { scope: 'api', name, role };
  if (agent !== undefined) return { scope: 'agent', name, agentName: agent === true ? null : agent };
  throw new AppError('invalid-input', 'Say what the token is for: --agent [NAME] for an Agent, --api for a program');
}

function describeToken({ id, scope, role, agentName, name, createdAt, lastUsedAt }: TokenSummary): string {
  const whatFor =
    scope === 'api'
      ? `programs, as ${role ?? ''}`
      : agentName === null
        ? 'Agents of any name'
        : `the Agent "${agentName}"`;
  return `${id.padStart(4)}  "${name}", for ${whatFor}; created ${createdAt.slice(0, 10)}, ${lastUsedAt === null ? 'never used' : `last used ${lastUsedAt.slice(0, 10)}`}`;
}
