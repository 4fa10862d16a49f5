import { expect, test } from 'vitest';
import { rowOfTunnel, rowsOfUsers, CounterTable } from '#httpep/counters/counter-help.ts';
import { formatPrometheus } from '#httpep/counters/serve-metrics.ts';

test('the text has help and type of each counter, and labels that no user can break out of', () => {
  const text = formatPrometheus({
    end: 'ground',
    refresh: () => Promise.resolve(),
    readRows: () => [
      { kind: 'user', labels: { user: 'a"b\\c\nd' }, sums: { originWaitMs: 1.23456 } },
      { kind: 'connection', labels: { tunnel: 'f00', slot: '3' }, sums: { framesResent: 7 } },
      rowOfTunnel('f00', 1999.6),
    ],
  });
  expect(text).toContain(
    [
      '# HELP httpep_ground_user_origin_wait_ms_total milliseconds from requests to heads of the web servers, in sum',
      '# TYPE httpep_ground_user_origin_wait_ms_total counter',
      'httpep_ground_user_origin_wait_ms_total{user="a\\"b\\\\c\\nd"} 1.235\n',
    ].join('\n'),
  );
  expect(text).toContain('\nhttpep_ground_connection_frames_resent_total{tunnel="f00",slot="3"} 7\n');
  expect(text).toContain(
    '# TYPE httpep_ground_tunnel_link_kbps gauge\nhttpep_ground_tunnel_link_kbps{tunnel="f00"} 2000\n',
  );
});

test('a thousand users are counted each, and more together', () => {
  const table = new CounterTable({ requests: 'requests' });
  for (let user = 0; user < 1010; user++) table.add(`user${user}`, 'requests');
  table.add('user7', 'requests', 5);
  const rows = rowsOfUsers(table.rows);
  expect(rows).toHaveLength(1001);
  expect(rows.find(({ labels }) => labels.user === 'user7')?.sums).toEqual({ requests: 6 });
  expect(rows.at(-1)).toEqual({ kind: 'user', labels: { user: '(others)' }, sums: { requests: 10 } });
});
