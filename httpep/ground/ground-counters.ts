import {
  groundUserHelp,
  rowOfTunnel,
  rowsOfConnections,
  rowsOfUsers,
  CounterTable,
  type GroundUserCounter,
  type CounterRow,
  type CounterSource,
} from '../counters/counter-help.ts';
import { RetransmissionReader } from '../counters/retransmission-reader.ts';
import type { GroundTunnels } from './ground-tunnels.ts';

/** How much of a tunnel's name is shown. */
const shownLength = 8;

/** Of the ground end. */
export class GroundCounters implements CounterSource {
  readonly end = 'ground';
  readonly #tunnels: GroundTunnels;
  readonly #kernel = new RetransmissionReader();
  readonly #users = new CounterTable(groundUserHelp);

  constructor(tunnels: GroundTunnels) {
    this.#tunnels = tunnels;
  }

  add(user: string, name: GroundUserCounter, by = 1): void {
    this.#users.add(user, name, by);
  }

  refresh(): Promise<void> {
    return this.#kernel.refresh(this.#tunnels.list().flatMap(({ tunnel }) => tunnel.watchedConnections));
  }

  readRows(): CounterRow[] {
    const tunnels = this.#tunnels.list().flatMap(({ name, tunnel, estimatedKbps }) => {
      const shown = name.slice(0, shownLength);
      return [
        ...rowsOfConnections(tunnel.connectionCounts, shown),
        ...(estimatedKbps === null ? [] : [rowOfTunnel(shown, estimatedKbps)]),
      ];
    });
    return [...rowsOfUsers(this.#users.rows), ...tunnels];
  }
}
