import { AwsV4Signer } from 'aws4fetch';
import type { BucketAddress } from './bucket-address.ts';

export interface SignableRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Of the body. */
  sha256: string;
}

/** Keys derived from the secret, by day. */
const derivedKeys = new Map<string, ArrayBuffer>();

/** The headers of a request, signed by AWS Signature Version 4. `dateTime`: `20130524T000000Z`; now when left out. */
export async function signRequest(
  { method, url, headers = {}, sha256 }: SignableRequest,
  { region, accessKeyId, secretAccessKey, sessionToken }: Omit<BucketAddress, 'url' | 'name' | 'prefix'>,
  dateTime?: string,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, 'x-amz-content-sha256': sha256 },
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    cache: derivedKeys,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(dateTime !== undefined && { datetime: dateTime }),
  });
  return Object.fromEntries((await signer.sign()).headers);
}
