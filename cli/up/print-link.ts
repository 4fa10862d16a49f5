import { signInLink } from '#controller/people/sign-in-tickets.ts';
import { findLocalController } from '../controller/controller-access.ts';
import { OwnerClient } from '../controller/owner-client.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import type { Role } from '#core/protocol/role.ts';

export interface LinkOptions {
  role: Role;
  json?: true;
  verbose?: true;
}

/** Prints a one-time link for the Controller that runs on this machine. */
export async function printLink({ role, json }: LinkOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const local = await findLocalController(findHome(process.env));
  const { publicUrl: url } = local;
  const signInUrl = signInLink(url, await new OwnerClient(local, interrupts.signal).invite(role));
  process.stdout.write(
    json
      ? `${JSON.stringify({ url, signInUrl })}\n`
      : `To sign in as ${role}, open this link; it works once, within a day:\n\n  ${signInUrl}\n\n`,
  );
}
