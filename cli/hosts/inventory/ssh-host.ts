import { AppError } from '#core/app-error.ts';
import { SshAddressSchema, type SshLogin } from '#core/protocol/api/host-join.ts';
import type { ResolvedHost } from './resolve-hosts.ts';

/** What a person typed to log in to one host, once. */
export interface TypedLogin {
  by: SshLogin;
  /** The fingerprint of the host's key that they have compared; null where none. */
  hostKey: string | null;
  /** Gets that key. Those of the OS user count too. */
  knownHostsFile: string;
}

/** A host as ssh reaches it, and how its Agent is to run. */
export interface SshHost {
  /** Its name in Evaluations, too. */
  name: string;
  address: string;
  /** Left out: as ssh's own configuration says. */
  user?: string | undefined;
  port?: number | undefined;
  privateKeyFile?: string | undefined;
  /** What a person typed for this once. Left out: by keys of the OS user. */
  login?: TypedLogin | undefined;
  /** Further words for ssh. */
  sshArguments: string[];
  isRootWanted: boolean;
  /** Options of `./http-ae agent`. */
  agentArguments: string[];
}

/** Throws `invalid-input` where the name would be the address, and cannot be one. */
export function toSshHost({ name, variables }: ResolvedHost): SshHost {
  const { http_ae_browser: browser, http_ae_firefox: firefox } = variables;
  return {
    name,
    address: variables.ansible_host ?? addressOf(name),
    user: variables.ansible_user,
    port: variables.ansible_port,
    privateKeyFile: variables.ansible_ssh_private_key_file,
    sshArguments: [...(variables.ansible_ssh_common_args ?? []), ...(variables.ansible_ssh_extra_args ?? [])],
    isRootWanted: variables.ansible_become === true,
    agentArguments: [
      ...(variables.http_ae_allow_scripts === true ? ['--allow-scripts'] : []),
      ...(browser === false ? ['--no-browser'] : []),
      ...(firefox === undefined ? [] : [firefox ? '--firefox' : '--no-firefox']),
    ],
  };
}

function addressOf(name: string): string {
  const parsed = SshAddressSchema.safeParse(name);
  if (parsed.success) return name;
  throw new AppError(
    'invalid-input',
    `the host ${JSON.stringify(name)} has no ansible_host, and its name is no address: it ${parsed.error.issues[0]!.message}`,
  );
}

/** As people write it: `ann@192.0.2.7:2222`. */
export function describeTarget({ address, user, port }: SshHost): string {
  return `${user === undefined ? '' : `${user}@`}${address}${port === undefined ? '' : `:${port}`}`;
}
