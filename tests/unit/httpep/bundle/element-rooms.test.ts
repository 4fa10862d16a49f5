import { expect, test } from 'vitest';
import { ElementRooms } from '#httpep/ground/bundle/element-rooms.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

test('users share the room for elements, and give back what they had', () => {
  const rooms = new ElementRooms();
  const fill = (user: string) => {
    const room = rooms.open(user);
    let count = 0;
    while (room.take()) count += 1;
    return { room, count };
  };
  const [ann, again, bob, eve] = ['ann', 'ann', 'bob', 'eve'].map(fill);
  expect([ann, again, bob, eve].map((each) => each!.count)).toEqual([250_000, 0, 250_000, 0]);
  for (let times = 0; times < 2; times++) ann!.room[Symbol.dispose]();
  // What of it is still read then is read no further.
  expect(ann!.room.take()).toBe(false);
  expect([fill('eve').count, fill('ann').count]).toEqual([250_000, 0]);
});

test('a page that is still loaded keeps its room, and one that is over gives it back', async () => {
  const forms = Array.from({ length: 100 }, (_, index) => `<font a=${index}>`).join('');
  const page =
    (count: number, image: string): SiteAnswers[string] =>
    (response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<p>${forms}</p>${'<p>x'.repeat(count)}<img src=${image}>`);
  let finish = () => undefined as unknown;
  await using site = await startSite({
    '/': page(1950, '/slow'),
    '/next': page(560, '/a'),
    '/slow': (response) => {
      response.write('.');
      finish = () => response.end();
    },
  });
  const open = async (path: string) => {
    await site.proxied(path, { headers: { accept: 'text/html' } });
    return site.remote.pushes.promised;
  };
  expect(await open('/')).toBe(1);
  expect(await open('/next')).toBe(1);
  finish();
  await expect.poll(() => open('/next')).toBe(2);
});
