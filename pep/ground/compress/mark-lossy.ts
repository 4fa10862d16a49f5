import { withoutHeaders, type HeaderList } from '../../exchange/header-list.ts';
import type { ImageFormat } from './compression.ts';

/** They are of the web server's bytes: a range or a digest of those does not fit the new ones. */
const ofOriginal = [
  'content-type',
  'content-length',
  'etag',
  'last-modified',
  'accept-ranges',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
];

/** Header fields of an image that was recompressed. `HTTPEP-Lossy` has what it was. */
export function markLossy(
  headers: HeaderList,
  change: { type: string; originalBytes: number; bytes: number; format: ImageFormat; quality: number },
): string[] {
  const { type, originalBytes, bytes, format, quality } = change;
  return [
    ...withoutHeaders(headers, ofOriginal),
    ...['Content-Type', `image/${format}`, 'Content-Length', String(bytes)],
    ...(format === 'webp' ? ['Vary', 'Accept'] : []),
    ...['HTTPEP-Lossy', `${type}; bytes=${originalBytes}; quality=${quality}`],
  ];
}
