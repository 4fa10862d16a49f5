import { expect, test } from 'vitest';
import { nameSites } from '#cli/evaluate/upload-sites.ts';

const named: string[] = [];
const nameOf = (file: string) => {
  named.push(file);
  return Promise.resolve(`the "${file.split('/').at(-1)}"`);
};

test('each file of a Site is named once, by its path from the YAML file, and lines stay', async () => {
  const yaml = `urlLists:
  shop: { site: ./shop.wacz, page: 1 } # the shop
  others:
    - site: "../news.wacz"
      page: 2
    - { site: shop.wacz, page: 3 }
    - site: a Site of the Controller
note: site.wacz
`;
  expect(await nameSites(yaml, '/home/ann/e.yaml', nameOf)).toBe(`urlLists:
  shop: { site: "the \\"shop.wacz\\"", page: 1 } # the shop
  others:
    - site: "the \\"news.wacz\\""
      page: 2
    - { site: "the \\"shop.wacz\\"", page: 3 }
    - site: a Site of the Controller
note: site.wacz
`);
  expect(named).toEqual(['/home/ann/shop.wacz', '/home/news.wacz']);
});

test('a text that is no YAML is left to its reader', async () => {
  expect(await nameSites('site: [a.wacz', 'e.yaml', nameOf)).toBe('site: [a.wacz');
});
