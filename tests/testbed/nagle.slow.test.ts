import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OriginProcess } from '#cli/origin/start-origin-process.ts';
import { startOriginInGround } from '#cli/testbed/open-testbed-origin.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import type { ListenerName } from '#testbed/origin/listeners.ts';

/** Much longer than the image takes to be written, and so is the wait for an acknowledgement. */
const roundTripMs = 800;
/** An image in small parts, 10 ms apart: no more than a first congestion window has room for, and together less than a packet. */
const parts = 8;
const image = `/image/1?counts=total&sizeBytes=800&chunks=${parts}&chunkGapMs=10`;

const stack = new AsyncDisposableStack();
let emulated: EmulatedNetwork;
let origin: OriginProcess;

beforeAll(async () => {
  const direction = { rateKbps: 'unlimited', delayMs: roundTripMs / 2 };
  const profile = resolveLinkProfile(LinkProfileInputSchema.parse({ forward: direction, return: direction }));
  emulated = stack.use(await openEmulatedNetwork({ profile }));
  origin = stack.use(await startOriginInGround(emulated.network, { listeners: 'all' }));
});
afterAll(() => stack.disposeAsync());

const http1 = `const response = await fetch(process.argv[1]);
  console.log((await response.arrayBuffer()).byteLength);
  process.exit();`;
const http2 = `const { connect } = await import('node:http2');
  const { origin, pathname, search } = new URL(process.argv[1]);
  const stream = connect(origin).request({ ':path': pathname + search });
  const length = await new Response(stream).arrayBuffer().then((bytes) => bytes.byteLength);
  console.log(length);
  process.exit();`;

/** How many packets the link carries to a client in `remote` that loads the image, and its length. */
async function load(listener: ListenerName, script: string): Promise<{ packets: number; length: number }> {
  const countPackets = async () => (await emulated.link.statistics()).forward.deliveredPackets;
  const before = await countPackets();
  const [program, ...prefix] = emulated.network.enter('remote');
  const env = ['env', 'NODE_TLS_REJECT_UNAUTHORIZED=0', process.execPath, '--no-warnings', '--input-type=module'];
  const output = await runTool(program, ...prefix, ...env, '--eval', script, `${origin.urls[listener]!}${image}`);
  return { packets: (await countPackets()) - before, length: Number(output) };
}

test.for([
  ['http', 'http-nagle', http1],
  ['http2', 'http2-nagle', http2],
] as const)(
  'on the wire, %s sends each small part at once, and %s collects what it wrote meanwhile',
  async ([plain, nagle, script]) => {
    const atOnce = await load(plain, script);
    const collected = await load(nagle, script);
    expect(atOnce.length).toBe(800);
    expect(collected.length).toBe(800);
    // Each part has a packet of its own. With the algorithm, all parts after the first wait for its acknowledgement, and then leave together.
    expect(atOnce.packets).toBeGreaterThanOrEqual(parts);
    expect(atOnce.packets - collected.packets).toBeGreaterThanOrEqual(parts / 2);
  },
);
