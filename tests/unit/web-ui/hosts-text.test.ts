import { expect, test } from 'vitest';
import { readHosts, writeHosts } from '#web-ui/src/pages/evaluation/sections/scenarios/hosts-fields.tsx';

test('hosts are lines of a name and its settings', () => {
  const hosts = [
    { name: 'www.shop.test', delayMs: 20, protocols: ['h3', 'http/1.1'] },
    { name: 'img.shop.test', aliases: ['a.test', 'b.test'], lossRatio: 0.01 },
  ];
  const text = 'www.shop.test delayMs=20 protocols=h3+http/1.1\nimg.shop.test aliases=a.test+b.test lossRatio=0.01';
  expect(writeHosts(hosts)).toBe(text);
  expect(readHosts(`${text}\n`)).toEqual(hosts);
  expect(writeHosts(undefined)).toBe('');
});

test('what is no such line stays as it was typed, for validation to reject', () => {
  expect(readHosts('www.shop.test delay')).toBe('www.shop.test delay');
  expect(writeHosts('www.shop.test delay')).toBe('www.shop.test delay');
  expect(readHosts('www.shop.test delayMs=20ms')).toEqual([{ name: 'www.shop.test', delayMs: '20ms' }]);
});
