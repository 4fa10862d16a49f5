import { expect, test } from 'vitest';
import { SessionSchema } from '#core/protocol/api/access.ts';
import { postJson, startTestController } from '../../support/controller.ts';

test('the address that people see is the one that the operator named', async () => {
  await using behindProxy = await startTestController({ publicUrl: 'https://http-ae.test/' });
  const { browser } = await behindProxy.signIn();
  expect(SessionSchema.parse(await (await browser('/api/session')).json()).publicUrl).toBe('https://http-ae.test');
  const foreign = {
    ...postJson({ name: 'x', scope: 'api' }),
    headers: { 'content-type': 'application/json', origin: 'http://other.test' },
  };
  expect((await browser('/api/tokens', foreign)).status).toBe(403);
  expect(
    (await browser('/api/tokens', { ...foreign, headers: { ...foreign.headers, origin: 'https://http-ae.test' } }))
      .status,
  ).toBe(201);
});
