/** Why a tunnel, a connection of it or a stream ended before its time. */
export type TunnelErrorCode = 'protocol' | 'wrong-key' | 'wrong-version' | 'timeout' | 'lost' | 'reset' | 'closed';

export class TunnelError extends Error {
  readonly code: TunnelErrorCode;

  constructor(code: TunnelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TunnelError';
    this.code = code;
  }
}
