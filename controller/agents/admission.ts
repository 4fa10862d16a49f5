import { protocolVersion } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { BadTokens } from '../people/limit-attempts.ts';
import type { AgentConnection, Hello } from './agent-connection.ts';

/** Who opened a line. */
export interface Caller {
  /** Null where it brought none. */
  token: string | null;
  address: string | null;
}

export interface AdmissionOptions {
  controllerVersion: string;
  /** Resolves to the token's id, or null when it is unknown, revoked, of another scope, or not for an Agent of this name. `name`: null before it is known. */
  verifyToken: (claim: { token: string; name: string | null }) => Promise<string | null>;
  /** Stores the facts that the Agent reported, and resolves to the number of its line, higher than that of any before. `address`: where its line comes from. */
  recordAgent: (agent: {
    name: string;
    tokenId: string;
    agentVersion: string;
    facts: HostFacts;
    address: string | null;
  }) => Promise<number>;
}

/** Who may have a line that is open: by its token before anything of it is read, then by its hello. Others hear why not. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #badTokens: BadTokens;

  constructor(options: AdmissionOptions, badTokens: BadTokens) {
    this.#options = options;
    this.#badTokens = badTokens;
  }

  /** Resolves to the id of its token; null when it was refused. */
  async checkToken(connection: AgentConnection, { token, address }: Caller): Promise<string | null> {
    const { controllerVersion, verifyToken } = this.#options;
    if (token === null) {
      connection.refuse({
        code: 'protocol-mismatch',
        message: `The Agent sent no token when it connected, like older versions: install the version of this Controller (${controllerVersion}) there`,
      });
      return null;
    }
    const tokenId = await verifyToken({ token, name: null });
    if (tokenId !== null) return tokenId;
    await this.#badTokens.slowDown({ address: address ?? '', token });
    connection.refuse({
      code: 'token-refused',
      message: 'The token is unknown, revoked, or not for Agents: create a new one under Hosts in the web UI',
    });
    return null;
  }

  /** Resolves to the number of its line; null when it was refused. */
  async admit(
    connection: AgentConnection,
    { hello, token, address }: Caller & { hello: Hello },
  ): Promise<number | null> {
    const { controllerVersion, verifyToken, recordAgent } = this.#options;
    const { name, agentVersion, facts } = hello;
    if (hello.protocolVersion !== protocolVersion) {
      connection.refuse({
        code: 'protocol-mismatch',
        message: `This Controller (${controllerVersion}) has protocol ${protocolVersion}, the Agent (${agentVersion}) has ${hello.protocolVersion}: install the same version of HTTP-AE on both`,
      });
      return null;
    }
    const tokenId = token === null ? null : await verifyToken({ token, name });
    if (tokenId !== null) return recordAgent({ name, tokenId, agentVersion, facts, address });
    connection.refuse({
      code: 'token-refused',
      message: `The token is unknown, revoked, or not for an Agent named "${name}": create a new one under Hosts in the web UI`,
    });
    return null;
  }
}
