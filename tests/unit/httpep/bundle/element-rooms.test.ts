import { expect, test } from 'vitest';
import { ElementRooms } from '#httpep/ground/bundle/element-rooms.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

test('users share the room for elements, and give back what they had', () => {
  const rooms = new ElementRooms({ ofAll: 5000, ofUser: 2500 });
  const fill = (user: string) => {
    const room = rooms.open(user);
    let count = 0;
    while (room.take()) count += 1;
    return { room, count };
  };
  const [ann, again, bob, eve] = ['ann', 'ann', 'bob', 'eve'].map(fill);
  expect([ann, again, bob, eve].map((each) => each!.count)).toEqual([2500, 0, 2500, 0]);
  for (let times = 0; times < 2; times++) ann!.room[Symbol.dispose]();
  // What of it is still read then is read no further.
  expect(ann!.room.take()).toBe(false);
  expect([fill('eve').count, fill('ann').count]).toEqual([2500, 0]);
});

test('a page that is still loaded keeps its room, and one that is over gives it back', async () => {
  const page =
    (count: number, image: string): SiteAnswers[string] =>
    (response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`${'<i></i>'.repeat(count)}<img src=${image}>`);
  let finish = () => undefined as unknown;
  const answers: SiteAnswers = {
    '/': page(150, '/slow'),
    '/next': page(60, '/a'),
    '/slow': (response) => {
      response.write('.');
      finish = () => response.end();
    },
  };
  await using site = await startSite(answers, { rooms: new ElementRooms({ ofAll: 300, ofUser: 200 }) });
  const open = async (path: string) => {
    await site.proxied(path, { headers: { accept: 'text/html' } });
    return site.remote.pushes.promised;
  };
  expect(await open('/')).toBe(1);
  expect(await open('/next')).toBe(1);
  finish();
  await expect.poll(() => open('/next')).toBe(2);
});
