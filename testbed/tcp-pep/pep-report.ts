import type { TcpPepPlace } from '#core/evaluation/network/tcp-pep.ts';
import type { NetworkFigure } from '#core/protocol/network-figure.ts';

/** What a transport PEP did at one node. */
export type TcpPepReport =
  | {
      kind: 'counted';
      at: TcpPepPlace;
      /** Split in two. */
      connections: number;
      /** Of users, that passed the node whole. */
      passedConnections: number;
      /** Payload. */
      fromUsersBytes: number;
      toUsersBytes: number;
    }
  | { kind: 'absent'; at: TcpPepPlace; reason: string };

/** What it did, as figures of the Round. */
export function listPepFigures(report: TcpPepReport): NetworkFigure[] {
  const of = (what: string) => `${report.at} PEP ${what}`;
  const isCounted = report.kind === 'counted';
  return [
    { figure: of('split'), unit: 'connections', value: isCounted ? report.connections : null },
    { figure: of('to users'), unit: 'kB', value: isCounted ? report.toUsersBytes / 1000 : null },
    { figure: of('from users'), unit: 'kB', value: isCounted ? report.fromUsersBytes / 1000 : null },
  ];
}

/** What PEPs, from the users to the origins, did wrong in a Round; null when nothing. `isHidden`: TCP passes them in a tunnel, so they are to see no connection. */
export function findPepFault(reports: readonly TcpPepReport[], { isHidden }: { isHidden: boolean }): string | null {
  for (const report of reports) {
    if (report.kind === 'absent') return `the PEP at the ${report.at} was not counted: ${report.reason}`;
    if (report.passedConnections > 0)
      return `${report.passedConnections} TCP connections passed the PEP at the ${report.at} without being split`;
    if (isHidden && report.connections > 0)
      return `the PEP at the ${report.at} split ${report.connections} connections, which the tunnel was to hide from it`;
  }
  // Connections may end behind the first node: a proxy of the Scenario at the gateway is one end of all of them.
  const [first] = reports;
  if (first?.kind === 'counted' && first.connections === 0 && !isHidden)
    return `the PEP at the ${first.at} saw no TCP connection: no request of the Round crossed it`;
  return null;
}
