import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTestPython } from '#cli/test/run-tests.ts';
import type { BucketAddress } from '#controller/captures/artefacts/artefacts-url.ts';
import { BucketClient } from '#controller/captures/artefacts/bucket/bucket-client.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const keys = { accessKeyId: 'test-id', secretAccessKey: 'test-secret-of-the-bucket' };
const pythonEnvironment = () => ({ ...process.env, PYTHONPATH: findTestPython(process.env) });

function runs(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: pythonEnvironment() });
    return true;
  } catch {
    return false; // that is the answer
  }
}

/** versitygw checks signatures and keeps its data when it is stopped; moto, which pip installs, does neither. Null where there is none of them. */
export const s3Program: 'versitygw' | 'moto' | null = runs('versitygw', ['--version'])
  ? 'versitygw'
  : runs('python3', ['-c', 'import moto, flask_cors'])
    ? 'moto'
    : null;

export interface S3Server extends AsyncDisposable {
  address: BucketAddress;
  /** Starts it with an empty bucket, or with the one of before where the program keeps it. */
  start(): Promise<void>;
  /** At once, as a power cut does. */
  kill(): Promise<void>;
}

/** A real server of the S3 API on a port of its own, which nothing listens on before `start`. */
export async function makeS3Server(): Promise<S3Server> {
  const port = await findFreePort();
  const data = await makeTemporaryFolder();
  const endpoint = `http://127.0.0.1:${port}`;
  const address: BucketAddress = {
    url: `${endpoint}/artefacts`,
    name: `s3://artefacts/lab/ at ${endpoint}`,
    prefix: 'lab/',
    region: 'us-east-1',
    ...keys,
  };
  let child: ChildProcess | null = null;
  const kill = async () => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGKILL');
    await over;
  };
  const start = async () => {
    child =
      s3Program === 'versitygw'
        ? spawn('versitygw', ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', data.path], {
            stdio: 'ignore',
            env: { ...process.env, ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey },
          })
        : spawn('python3', ['-m', 'moto.server', '--host', '127.0.0.1', '--port', String(port)], {
            stdio: 'ignore',
            env: pythonEnvironment(),
          });
    while (!(await answers(endpoint))) {
      if (child.exitCode !== null) throw new Error(`${s3Program!} ended with status ${child.exitCode}`);
      await sleep(50);
    }
    await using client = new BucketClient(address);
    await client.sendForText({ method: 'PUT', key: null, accepts: [409] });
  };
  return {
    address,
    start,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await data[Symbol.asyncDispose]();
    },
  };
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await (await fetch(endpoint)).text();
    return true;
  } catch {
    return false; // not yet
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
