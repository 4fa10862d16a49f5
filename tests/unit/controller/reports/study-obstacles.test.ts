import { expect, test } from 'vitest';
import { findStudyObstacle, readStudyMachine, type StudyMachine } from '#controller/studies/study-routes.ts';

const root: StudyMachine = {
  platform: 'linux',
  userId: 0,
  capabilities: '000001ffffffffff',
  hasProgram: (name) => Promise.resolve(['apt-get', 'firefox-esr'].includes(name)),
  isFirefoxNamed: false,
};
const has = (...programs: string[]) => ({ hasProgram: (name: string) => Promise.resolve(programs.includes(name)) });

test.for([
  ['nothing', {}, null],
  ['no Linux', { platform: 'darwin' }, 'it needs Linux'],
  ['no root', { userId: 1000 }, 'it needs root'],
  // As Docker has it without --privileged.
  ['no capability', { capabilities: '00000000a80425fb' }, 'this container may not create network namespaces'],
  ['no Firefox', has('apt-get'), 'it needs Firefox'],
  ['a Firefox elsewhere', { ...has('apt-get'), isFirefoxNamed: true }, null],
  ['a program, which nothing brings', has('firefox'), 'it needs squid'],
  ['nothing, as the program is there', has('firefox', 'squid'), null],
] as const)('a study is kept from running by %s', async ([, change, obstacle]) => {
  expect(await findStudyObstacle({ programs: ['squid'], firefox: true }, { ...root, ...change })).toBe(obstacle);
});

test('this machine is looked at as it is', async () => {
  const machine = await readStudyMachine({ PATH: '/usr/bin:/bin', HTTP_AE_FIREFOX: '/opt/firefox' });
  expect([await machine.hasProgram('sh'), await machine.hasProgram('no such program')]).toEqual([true, false]);
  expect(machine).toMatchObject({ platform: process.platform, isFirefoxNamed: true });
});
