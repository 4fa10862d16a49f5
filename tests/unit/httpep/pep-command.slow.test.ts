import { describe, expect, test } from 'vitest';
import { judgeTime } from '#tests/support/judge-time.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { ask } from './support/ask.ts';
import { listRefusedOptions } from './support/refused-options.ts';
import { portOf, usePepCommand } from './support/use-pep-command.ts';

const pep = usePepCommand();

test(
  'the two commands are a proxy; an end that is killed is a 502 or 504 within 2 s, and is not missed when it is back',
  { timeout: 90_000 },
  async (context) => {
    const startGround = (port: number) => pep.start('ground', '--listen', `127.0.0.1:${port}`, '--allow-private');
    await using grounds = new AsyncDisposableStack();
    let ground = grounds.use(startGround(0));
    const groundPort = await portOf(ground);
    const startRemote = (port: number) =>
      pep.start('remote', '--listen', `127.0.0.1:${port}`, '--ground', `127.0.0.1:${groundPort}`);
    await using remote = startRemote(0);
    const port = await portOf(remote);
    const direct = await ask(`${pep.origin.url}/big`);
    expect(await ask(`${pep.origin.url}/big`, {}, port)).toEqual(direct);

    const askedSilent = () => pep.origin.asked.filter((each) => each === 'GET /silent').length;
    await judgeTime(context, {
      measure: async () => {
        const before = askedSilent();
        const silent = ask(`${pep.origin.url}/silent`, {}, port);
        await expect.poll(askedSilent).toBe(before + 1);
        const killedMs = performance.now();
        await ground.kill('SIGKILL');
        expect([502, 504]).toContain((await silent).status);
        const tookMs = performance.now() - killedMs;
        ground = grounds.use(startGround(groundPort));
        await portOf(ground);
        await expect.poll(async () => (await ask(`${pep.origin.url}/plain`, {}, port)).status).toBe(200);
        return tookMs;
      },
      holds: (tookMs) => expect(tookMs).toBeLessThan(2000),
    });

    await remote.kill('SIGKILL');
    await using secondRemote = startRemote(port);
    expect(await ask(`${pep.origin.url}/big`, {}, await portOf(secondRemote))).toEqual(direct);
  },
);

describe('what is refused, with what to do', () => {
  test.for(listRefusedOptions({ keyFile: () => pep.keyFile, write: pep.write }))('%s', async ([, args, message]) => {
    const { exitCode, stdout, stderr } = await runCli(['pep', ...(typeof args === 'function' ? await args() : args)]);
    expect(stderr).toContain(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
