import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { HttpClient } from './http-client.ts';
import {
  SessionOptionsSchema,
  SessionOrderSchema,
  type SessionOptions,
  type SessionReport,
} from './session-messages.ts';
import { warmUp } from './warm-up.ts';

/**
 * One session of the http engine as a process of its own: it may be another OS user, whose packets the kernel keeps apart, and what a page makes it
 * work does not hold up the Agent. It lives until the process that started it ends it, or is gone.
 */
async function main(): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the Agent decides when the session ends.
  process.on('SIGINT', () => undefined);
  const options = SessionOptionsSchema.parse(JSON.parse(process.argv[2]!));
  try {
    await rehearse(options);
    if (options.osUser) becomeUser(options.osUser);
  } catch (error) {
    report({ kind: 'failed', problem: (error as Error).message }, () => process.exit(1));
    return;
  }
  const client = new HttpClient(options);
  process.on('message', (message) => {
    const { url } = SessionOrderSchema.parse(message);
    void client.visit(url).then((outcome) => report({ kind: 'visited', outcome }));
  });
  report({ kind: 'ready' });
}

/** With the settings of a browser that goes straight to its pages. */
async function rehearse({ pageLoad, userAgent }: SessionOptions): Promise<void> {
  const client = new HttpClient({
    pageLoad: { ...pageLoad, cache: 'cold' },
    browser: BrowserSettingsSchema.parse({}),
    userAgent,
    recordsHeaders: false,
    osUser: null,
  });
  await warmUp(async (url) => {
    const outcome = await client.visit(url);
    if (outcome.status === 'failed')
      throw new Error(`it cannot reach its own address 127.0.0.1 (${outcome.detail}): is the loopback interface up?`);
  });
}

function becomeUser({ uid, gid }: { uid: number; gid: number }): void {
  process.setgroups!([]);
  process.setgid!(gid);
  process.setuid!(uid);
}

function report(message: SessionReport, then?: () => void): void {
  process.send!(message, undefined, undefined, then);
}

await main();
