import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '#cli/create-log.ts';
import { inLogContext } from '#controller/operating/log-context.ts';

let written = '';
beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** As a Run logs: at once, and after something that it waited for. */
async function logInRound(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog('info', environment);
  await inLogContext({ run: '7' }, async () => {
    log.info('The Run starts');
    await inLogContext({ round: 3, scenario: 'proxy' }, async () => {
      await Promise.resolve();
      log.warn({ agent: 'a', round: 'an id' }, 'Something broke');
    });
  });
  log.info('At rest');
}

test('a log in JSON says of each line which Run and Round it is about', async () => {
  await logInRound({ HTTP_AE_LOG: 'json' });
  const lines = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { level: 'info', run: '7', msg: 'The Run starts' },
    { level: 'warn', run: '7', round: 3, scenario: 'proxy', agent: 'a', msg: 'Something broke' },
    { level: 'info', msg: 'At rest' },
  ]);
  expect(lines[2]).not.toHaveProperty('run');
});

test('a log for people is as short as before', async () => {
  await logInRound({});
  expect(written.replaceAll(/^\d\d:\d\d:\d\d /gm, '')).toBe(
    'The Run starts\nwarning Something broke agent=a round=an id\nAt rest\n',
  );
});

test('another form is refused', () => {
  expect(() => createLog('info', { HTTP_AE_LOG: 'xml' })).toThrow('HTTP_AE_LOG is "xml": set it to "text" or "json"');
});
