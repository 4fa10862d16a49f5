import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { frontTools } from '#testbed/origin/front/run-caddy.ts';
import { fixedPorts, listenerNames, ownListenerNames } from '#testbed/origin/listeners.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const main = path.resolve(import.meta.dirname, '../../cli/main.ts');
/** `./http-ae test` says where it cannot be had. */
const hasCaddy = findMissingTools(pathWithTools(process.env), frontTools).length === 0;
const UpSchema = z.object({
  namespaces: z.object({ remote: z.string() }),
  users: z.array(z.object({ place: z.string(), address: z.string(), enter: z.array(z.string()) })),
  origin: z.object({
    urls: z.record(z.string(), z.string()),
    ipv6Urls: z.record(z.string(), z.string()).nullable(),
    trustedKey: z.string(),
  }),
});

async function up(homeFolder: string, ...options: string[]) {
  const args = [main, 'testbed', 'up', 'none', '--origin', '--users', '2', '--json', ...options];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HTTP_AE_HOME: homeFolder },
  });
  const closed = once(child, 'close');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ...UpSchema.parse(JSON.parse(line)),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT');
      expect(await closed).toEqual([0, null]);
    },
  };
}

/** Loads a page from each URL in that place, without a check of the certificate, and returns the statuses. */
async function ask(enter: readonly string[], urls: readonly string[]): Promise<number[]> {
  const script = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const statuses = await Promise.all(JSON.parse(process.argv[1]).map(async (url) => (await fetch(url)).status));
    console.log(JSON.stringify(statuses));`;
  const [program, ...prefix] = enter as [string, ...string[]];
  const output = await runTool(
    program,
    ...prefix,
    process.execPath,
    '--no-warnings',
    '--input-type=module',
    '--eval',
    script,
    JSON.stringify(urls),
  );
  return z.array(z.number()).parse(JSON.parse(output));
}

test('"up --origin" serves every listener on its port to the users behind the link, with a key that survives a restart', async () => {
  await using folder = await makeTemporaryFolder();
  let firstKey: string;
  {
    await using first = await up(folder.path);
    const { urls, trustedKey } = first.origin;
    firstKey = trustedKey;
    expect(Object.keys(urls)).toEqual(ownListenerNames);
    for (const name of ownListenerNames) {
      expect(new URL(urls[name]!).host).toBe(`198.19.0.1:${fixedPorts[name]}`);
    }
    const pages = Object.values(urls).map((url) => `${url}/page/1x200`);
    expect(await ask(first.users[1]!.enter, pages)).toEqual(pages.map(() => 200));
  }
  await using second = await up(folder.path);
  expect(second.origin.trustedKey).toBe(firstKey);
});

test('"up --origin --ipv6" serves the same on the same ports by IPv6, and so does the front of "--http3"', async () => {
  await using folder = await makeTemporaryFolder();
  await using testbed = await up(folder.path, '--ipv6', ...(hasCaddy ? ['--http3'] : []));
  const { urls, ipv6Urls } = testbed.origin;
  expect(Object.keys(ipv6Urls!)).toEqual(Object.keys(urls));
  for (const name of hasCaddy ? listenerNames : ownListenerNames) {
    expect(new URL(ipv6Urls![name]!).host).toBe(`[2001:2:0:19::1]:${fixedPorts[name]}`);
  }
  const pages = [...Object.values(urls), ...Object.values(ipv6Urls!)].map((url) => `${url}/page/1x200`);
  expect(await ask(testbed.users[1]!.enter, pages)).toEqual(pages.map(() => 200));
});

test('what a user sends to a proxy in "remote" crosses an interface of that user alone', async () => {
  await using folder = await makeTemporaryFolder();
  await using testbed = await up(folder.path);
  const remote = ['nsenter', `--net=/run/netns/${testbed.namespaces.remote}`, '--'] as const;
  const countReceived = async (name: string) => {
    const output = await runTool(...remote, 'ip', '-s', '-j', 'link', 'show', 'dev', name);
    return (JSON.parse(output) as [{ stats64: { rx: { packets: number } } }])[0].stats64.rx.packets;
  };
  const before = [await countReceived('user1'), await countReceived('user2')];
  await runTool(
    ...(testbed.users[0]!.enter as [string, ...string[]]),
    'bash',
    '-c',
    'for n in 1 2 3 4 5; do echo >/dev/udp/198.19.0.2/9; done',
  );
  const after = [await countReceived('user1'), await countReceived('user2')];
  expect(after[0]! - before[0]!).toBeGreaterThanOrEqual(5);
  expect(after[1]! - before[1]!).toBe(0);
});
