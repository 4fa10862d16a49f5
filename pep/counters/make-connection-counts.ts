import { connectionHelp, type ConnectionCounts } from './counter-help.ts';

export function makeConnectionCounts(): ConnectionCounts {
  return Object.fromEntries(Object.keys(connectionHelp).map((name) => [name, 0])) as ConnectionCounts;
}
