import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { z } from 'zod';
import { TunnelError } from '../tunnel/tunnel-error.ts';

/**
 * What heads often hold, for compression: both ends need the same text, so a change of it is a new version of the protocol. What
 * comes last is the cheapest to refer to.
 */
const dictionary = Buffer.from(
  [
    'proxy-authenticate www-authenticate Basic realm=" WebSocket Upgrade connection sec-websocket-key sec-websocket-version 13 ',
    'Range bytes=0- Content-Range bytes If-Range If-Match If-Unmodified-Since Expect 100-continue Trailer TE trailers Content-Encoding ',
    'gzip br zstd deflate Content-Language Content-Disposition attachment Strict-Transport-Security max-age=31536000; includeSubDomains ',
    'Access-Control-Allow-Origin Access-Control-Allow-Methods Access-Control-Allow-Headers Timing-Allow-Origin X-Frame-Options SAMEORIGIN ',
    'X-Content-Type-Options nosniff Content-Security-Policy default-src Referrer-Policy strict-origin-when-cross-origin Alt-Svc ',
    'Server nginx Apache Via 1.1 Age Expires Pragma no-cache Cache-Control no-cache no-store private public must-revalidate max-age=0 ',
    'Mon, Tue, Wed, Thu, Fri, Sat, Sun, 01 Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec 2025 2026 00:00:00 GMT ',
    'Last-Modified ETag "W/\\" Accept-Ranges bytes Vary Accept-Encoding Set-Cookie ; Path=/; Secure; HttpOnly; SameSite=Lax Location ',
    'application/json application/javascript text/javascript text/css image/webp image/png image/svg+xml font/woff2 image/jpeg ',
    '{"status":404,"reason":"Not Found","status":304,"reason":"Not Modified","status":302,"reason":"Found",',
    '{"status":200,"reason":"OK","headers":["Content-Type","text/html; charset=utf-8","Content-Length","Date","Connection","keep-alive"]}',
    '{"kind":"connect","user":"198.19.1.1","host":"","port":443}',
    'Origin Content-Type application/x-www-form-urlencoded If-None-Match If-Modified-Since Cookie Authorization Sec-Fetch-Dest document ',
    'Sec-Fetch-Mode navigate Sec-Fetch-Site same-origin Sec-Fetch-User ?1 DNT Priority u=0, i Accept-Language en-US,en;q=0.5 ',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 ',
    'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5 text/css,*/*;q=0.1 ',
    '{"kind":"request","user":"198.19.1.1","method":"POST","url":"https://www.","url":"http://","method":"HEAD",',
    '{"kind":"request","user":"127.0.0.1","method":"GET","url":"http://198.19.0.1:8080/","version":"1.1","hasBody":false,"isUpgrade":false,"headers":["Host","',
    '","Cache-Control","max-age=0","Upgrade-Insecure-Requests","1","User-Agent","Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ',
    '(KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36","Accept","text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,',
    'image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7","Accept","image/avif,image/webp,image/apng,image/svg+xml,image/*,',
    '*/*;q=0.8","Referer","http://","Accept-Encoding","gzip, deflate","Accept-Language","en-US,en;q=0.9","Cookie","',
  ].join(''),
);

/** What a packed head may become: more is no head. */
const maxHeadBytes = 1024 * 1024;

/** JSON, compressed against the dictionary. */
export function pack(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { dictionary, level: 9 });
}

/** Throws `protocol` for what was not packed so, or does not fit the schema. */
export function unpack<Schema extends z.ZodType>(bytes: Buffer, schema: Schema): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(String(inflateRawSync(bytes, { dictionary, maxOutputLength: maxHeadBytes }))));
  } catch (error) {
    throw new TunnelError('protocol', 'The other end of the tunnel sent a head that cannot be read', { cause: error });
  }
}
