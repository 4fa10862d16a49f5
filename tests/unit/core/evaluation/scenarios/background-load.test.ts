import { expect, it } from 'vitest';
import { BackgroundLoadSchema, describeBackground } from '#core/evaluation/scenarios/background-load.ts';

it('has one user of each kind, and a ladder of rates, unless it says otherwise', () => {
  const loads = BackgroundLoadSchema.parse([{ kind: 'bulk-download', users: 2 }, { kind: 'video' }, { kind: 'voice' }]);
  expect(loads[1]).toMatchObject({ users: 1, ladderKbps: expect.arrayContaining([235, 3000]) as unknown });
  expect(describeBackground(loads)).toBe('bulk-download 2, video 1, voice 1');
});

it.each([
  [[{ kind: 'torrent' }], /kind.*must be one of bulk-download, bulk-upload, video, voice/],
  [['voice'], /must be a mapping, such as/],
  [[{ kind: 'voice', users: 51 }], /users.*at most 50/s],
  [[{ kind: 'voice' }, { kind: 'voice' }], /each kind once/],
  [[{ kind: 'voice', ladderKbps: [100] }], /ladderKbps/],
  [[{ kind: 'video', ladderKbps: [400, 200] }], /must rise/],
  [[{ kind: 'video', ladderKbps: [60_000] }], /at most 50000/],
])('refuses %j', (loads, message) => {
  const { error } = BackgroundLoadSchema.safeParse(loads);
  expect(JSON.stringify(error?.issues)).toMatch(message);
});
