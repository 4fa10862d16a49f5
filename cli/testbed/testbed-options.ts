import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import type { LinkBackendKind } from '#testbed/link/link-backend.ts';

export const testbedActions = ['up', 'check', 'shell', 'down'] as const;
export type TestbedAction = (typeof testbedActions)[number];

export interface TestbedOptions {
  in: 'ground' | 'remote';
  backend?: LinkBackendKind;
  users?: number;
  ipv6?: true;
  nodes?: true;
  origin?: true;
  http3?: true;
  join?: true;
  controller?: string;
  token?: string;
  allowScripts?: true;
  extension?: ExtensionTarget;
  json?: true;
  verbose?: true;
}
