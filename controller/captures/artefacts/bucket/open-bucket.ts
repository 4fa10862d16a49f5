import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { storeAway, type ArtefactPlace } from '../artefact-store.ts';
import { picturesName, sitesName } from '../open-folder.ts';
import type { BucketAddress } from '../artefacts-url.ts';
import { BucketClient } from './bucket-client.ts';
import { BucketStore, TurnKeeper } from './bucket-store.ts';

const idKey = 'store-id';
const checkKey = 'store-check';
const sentAtOnce = 4;

export interface Bucket extends ArtefactPlace, AsyncDisposable {
  client: BucketClient;
  /** Rejects with `artefacts-unreachable` when files cannot be read now, and, if it `writes`, when they cannot be stored. */
  check(writes: boolean): Promise<void>;
}

/** `folder`: of this machine, for files on their way. */
export function openBucket(address: BucketAddress, { folder }: { folder: string }): Bucket {
  const client = new BucketClient(address);
  const turns = new TurnKeeper(sentAtOnce);
  const storeOf = (prefix: string) =>
    new BucketStore(client, { prefix, incomingFolder: path.join(folder, prefix, 'incoming'), turns });
  let id: string | null = null;
  const readId = async () => (id ??= await readOrMakeId(client, randomUUID()));
  return {
    client,
    name: address.name,
    traces: storeOf(''),
    pictures: storeOf(`${picturesName}/`),
    sites: storeOf(`${sitesName}/`),
    readId,
    writeId: async (written) => {
      await put(client, { key: idKey, text: written });
      id = written;
    },
    check: async (writes) => {
      // One that was emptied meanwhile stays the place that the database knows.
      if (id === null) await readId();
      else await readOrMakeId(client, id);
      if (writes) await put(client, { key: checkKey, text: 'Whether files can be stored' });
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** Of two Controllers that make it at the same time, one does. */
async function readOrMakeId(client: BucketClient, made: string): Promise<string> {
  const found = await read(client, idKey);
  if (found !== null) return parseId(client, found);
  await put(client, { key: idKey, text: made, headers: { 'if-none-match': '*' } });
  return parseId(client, (await read(client, idKey)) ?? '');
}

function parseId(client: BucketClient, text: string): string {
  const { data } = z.uuid().safeParse(text.trim());
  if (data !== undefined) return data;
  throw storeAway(`${client.address.name} has no id in "${idKey}", by which it is known: remove that file`);
}

async function read(client: BucketClient, key: string): Promise<string | null> {
  const { status, text } = await client.sendForText({ method: 'GET', key, accepts: [404], isCheck: true });
  if (status !== 404) return text;
  if (text.includes('NoSuchBucket')) await client.sendForText({ method: 'GET', key, isCheck: true }); // which says so
  return null;
}

async function put(
  client: BucketClient,
  { key, text, headers = {} }: { key: string; text: string; headers?: Record<string, string> },
): Promise<void> {
  const contents = Buffer.from(`${text}\n`);
  const body = {
    sha256: createHash('sha256').update(contents).digest('hex'),
    bytes: contents.length,
    open: () => contents,
  };
  // 412 and 409: another made it just now.
  await client.sendForText({ method: 'PUT', key, body, headers, accepts: [409, 412], isCheck: true });
}
