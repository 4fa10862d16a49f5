import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '#core/app-error.ts';

/** Where ARTEFACTS_URL says that traces and pictures are: a folder that Controllers may share, or a bucket. */
export type ChosenArtefacts = { kind: 'folder'; folder: string } | { kind: 'bucket'; address: BucketAddress };

const example = 's3://bucket/prefix?endpoint=https://s3.example:9000&region=eu-central-1';
const options = new Set(['endpoint', 'region']);
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixText = /^(?:[\w-][\w.-]*\/)*$/;
const mostPrefixCharacters = 200;
const regionName = /^[a-z0-9-]{1,40}$/;

/**
 * Reads ARTEFACTS_URL with the variables that other programs of S3 read, as the AWS command line does: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION,
 * AWS_ENDPOINT_URL_S3. Null without ARTEFACTS_URL. Throws `invalid-input`, never with a secret in its message.
 */
export function readArtefactsUrl(environment: NodeJS.ProcessEnv): ChosenArtefacts | null {
  const text = environment['ARTEFACTS_URL'];
  if (text === undefined || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.username || url?.password)
    throw invalid('has a user or a password: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead');
  switch (url?.protocol) {
    case 'file:':
      return { kind: 'folder', folder: readFolder(url) };
    case 's3:':
      return { kind: 'bucket', address: readBucket(url, environment) };
    default:
      throw invalid(`is neither s3: nor file: write ${example} or file:///srv/http-ae/artefacts`);
  }
}

/** One that is missing may be on a disk that is not mounted: files would be stored below it, and not be found later. */
function readFolder(url: URL): string {
  let folder: string;
  try {
    folder = fileURLToPath(url);
  } catch (cause) {
    throw new AppError(
      'invalid-input',
      `ARTEFACTS_URL names no folder (${(cause as Error).message}): write file:///srv/http-ae/artefacts`,
      { cause },
    );
  }
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw invalid(`names ${folder}, which is no folder: create it, or mount its disk`);
  return folder;
}

function readBucket(url: URL, environment: NodeJS.ProcessEnv): BucketAddress {
  const bucket = url.hostname;
  if (url.port !== '') throw invalid(`has a port: name the bucket first and the server by its endpoint, ${example}`);
  if (!bucketName.test(bucket)) throw invalid(`names no bucket: write ${example}`);
  const folder = url.pathname.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  if (!prefixText.test(prefix) || prefix.length > mostPrefixCharacters)
    throw invalid(
      `has a prefix that cannot be used: write at most ${mostPrefixCharacters} letters, digits, "-", "_", "." and "/"`,
    );
  for (const name of url.searchParams.keys())
    if (!options.has(name)) throw invalid('has an unknown option: there are endpoint and region');
  const region =
    url.searchParams.get('region') ?? (environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || 'us-east-1');
  if (!regionName.test(region)) throw invalid('has a region that cannot be one: write such as region=eu-central-1');
  const named =
    url.searchParams.get('endpoint') ?? (environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'] || '');
  const base = named === '' ? awsUrl(bucket, region) : `${readEndpoint(named)}/${bucket}`;
  return {
    url: base,
    name: `s3://${bucket}/${prefix} at ${new URL(base).origin}`,
    prefix,
    region,
    ...readCredentials(environment),
  };
}

/** The bucket is in the host's name, unless a dot in it would fit no certificate. */
function awsUrl(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function readEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalid('has an endpoint that is no address: write such as endpoint=https://s3.example:9000');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function readCredentials(
  environment: NodeJS.ProcessEnv,
): Pick<BucketAddress, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'> {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
    AWS_SESSION_TOKEN: sessionToken = '',
  } = environment;
  if (accessKeyId === '' || secretAccessKey === '')
    throw invalid('names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too');
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
}

function invalid(what: string): AppError {
  return new AppError('invalid-input', `ARTEFACTS_URL ${what}`);
}

/** A part of a bucket in a store that speaks the S3 API, and what opens it. Not to be logged or listed: it has a secret. */
export interface BucketAddress {
  /** Where requests go, with the bucket in its name or path, without a slash at the end. */
  url: string;
  /** For people: `s3://bucket/prefix at https://host`. */
  name: string;
  /** Before each key: empty, or ends with a slash. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
