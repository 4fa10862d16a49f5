import { expect, test } from 'vitest';
import { readProxyCounters } from '#testbed/tcp-pep/apply-tcp-pep.ts';

const header = '# pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq';

test('the counters are those of the frontend that users come to', () => {
  const printed = [
    header,
    'users,FRONTEND,,,1,3,9991,4,13,2000030,0',
    'origins,BACKEND,0,0,1,3,1000,5,99,99,0',
    '',
    '',
  ].join('\n');
  expect(readProxyCounters(printed)).toEqual({ connections: 4, fromUsersBytes: 13, toUsersBytes: 2_000_030 });
});

test.for(['', `${header}\norigins,BACKEND,0,0,1,3,1000,5,99,99,0\n`, `${header}\nusers,FRONTEND,,,1,3,9991,,,,\n`])(
  'what haproxy does not report is no counter: %j',
  (printed) => {
    expect(() => readProxyCounters(printed)).toThrow('haproxy reports no connections of users');
  },
);
