import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};
const isText = /^(?:text\/|application\/(?:json|xml)|image\/svg)/;

/** As a server sends it. */
export interface FileAnswer {
  status: number;
  type: string;
  file: Buffer;
  /** The file in gzip; null for what does not get smaller. */
  packed: Buffer | null;
}

/** What is done to an HTML or CSS file before it is sent. */
type ChangeText = (text: string, file: string) => string;

/** The files of an unpacked package, each read once. */
export class PackageFiles {
  readonly #folder: string;
  readonly #answers = new Map<string, Promise<FileAnswer>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(file: string): boolean {
    return existsSync(path.join(this.#folder, path.posix.normalize(file)));
  }

  /** `change` is the same at each call. */
  answer(pathname: string, change?: ChangeText): Promise<FileAnswer> {
    const known = this.#answers.get(pathname) ?? this.#prepare(pathname, change);
    this.#answers.set(pathname, known);
    return known;
  }

  /** Links within a folder are followed, as between packages of Debian. */
  async #prepare(pathname: string, change?: ChangeText): Promise<FileAnswer> {
    const root = await realpath(this.#folder);
    try {
      const wanted = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const place = await realpath(path.join(root, wanted));
      if (!place.startsWith(root + path.sep)) throw new Error(`${pathname} is outside`);
      const type = types[path.extname(wanted)] ?? 'application/octet-stream';
      const read = await readFile(place);
      const file =
        change && /^text\/(?:html|css)/.test(type) ? Buffer.from(change(read.toString('utf8'), wanted)) : read;
      const packed = isText.test(type) ? gzipSync(file) : null;
      return { status: 200, type, file, packed: packed && packed.length < file.length ? packed : null };
    } catch {
      return { status: 404, type: 'text/plain', file: Buffer.from('There is no such file.\n'), packed: null };
    }
  }
}
