import { expect, test } from 'vitest';
import { PageLog, type PageCounts } from '#httpep/remote/page-log.ts';

test('a page that the browser asks for ahead belongs to the one that is shown', () => {
  const over: PageCounts[] = [];
  const find = (log: PageLog, path: string, fields: string[] = []) =>
    log.find({
      ...{ kind: 'request', user: 'ann', method: 'GET', url: `http://a.test/${path}`, version: '1.1' },
      ...{ hasBody: false, isUpgrade: false, headers: ['Accept', 'text/html', ...fields] },
    });
  {
    using log = new PageLog((page) => over.push(page));
    const { page } = find(log, 'shown');
    for (const purpose of ['prefetch', 'prefetch;prerender'])
      expect(find(log, 'next', ['Sec-Purpose', purpose])).toEqual({ page, isNew: false });
    expect(find(log, 'next').isNew).toBe(true);
  }
  expect(over.map(({ url }) => url)).toEqual(['http://a.test/shown', 'http://a.test/next']);
});
