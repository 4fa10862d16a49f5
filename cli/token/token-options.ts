export const tokenActions = ['create', 'list', 'revoke'] as const;
export type TokenAction = (typeof tokenActions)[number];

export interface TokenOptions {
  /** True: for any name. */
  agent?: string | true;
  api?: true;
  role: 'viewer' | 'evaluator';
  name?: string;
  json?: true;
  verbose?: true;
}
