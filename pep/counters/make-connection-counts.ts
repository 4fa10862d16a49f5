import { connectionHelp, type ConnectionCounts } from './counter-help.ts';

export function makeConnectionCounts(): ConnectionCounts {
  return Object.fromEntries(
    Object.keys(connectionHelp).flatMap((name) => (name === 'retransmissions' ? [] : [[name, 0]])),
  ) as ConnectionCounts;
}
