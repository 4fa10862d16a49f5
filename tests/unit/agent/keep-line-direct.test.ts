import { expect, test } from 'vitest';
import { keepLineDirectInChrome, keepLineDirectInFirefox } from '#agent/engines/extension/extension-browser-options.ts';

const line = '127.0.0.1:8000';

test('the line bypasses a proxy, beside what the Scenario lets bypass it', () => {
  expect(
    keepLineDirectInChrome(['--proxy-server=http://p', '--proxy-bypass-list=a', '--proxy-bypass-list=b'], line),
  ).toEqual([
    '--proxy-server=http://p',
    '--proxy-bypass-list=a',
    '--proxy-bypass-list=b',
    `--proxy-bypass-list=b;${line}`,
  ]);
  expect(keepLineDirectInFirefox({ 'network.proxy.no_proxies_on': 'a' }, line)).toEqual({
    'network.proxy.no_proxies_on': `a, ${line}`,
  });
  expect(keepLineDirectInFirefox({}, line)).toEqual({ 'network.proxy.no_proxies_on': line });
});

test('the line is led to no other host', () => {
  expect(keepLineDirectInChrome(['--host-resolver-rules=MAP * 10.0.0.1', '--host-rules=MAP * x'], line)).toEqual([
    `--host-resolver-rules=MAP ${line} ${line},MAP * 10.0.0.1`,
    `--host-rules=MAP ${line} ${line},MAP * x`,
  ]);
});
