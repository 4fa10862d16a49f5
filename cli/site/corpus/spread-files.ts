import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * A package has one host, a page of today some twenty. The files of a package are spread over several hosts as the HTTP Archive reports for the median page: 49 % of requests go to third parties (Web Almanac 2019,
 * chapter Third Parties), 78 requests to 22 third parties (Web Almanac 2024, the same chapter). How these 78 lie among the 22 is not reported: here the k-th has a share proportional to 1/k.
 */
const thirdPartyRatio = 0.49;
const requestsOfOne = 78 / 22;

/** For a page with so many objects: its own host, and at least one other. */
export function countHosts(objects: number): number {
  return 1 + Math.max(1, Math.round((thirdPartyRatio * objects) / requestsOfOne));
}

/** The page's own host first. `.test` is set aside for tests: RFC 6761, section 6.2. */
export function nameHosts(site: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? `www.${site}.test` : `party${index}.${site}.test`));
}

/** The host of a file, from its path alone: the same on every machine. */
export function hostOfFile(file: string, hosts: readonly string[]): string {
  const [own, ...others] = hosts;
  // Documents are the page's own: links between them stay within one host.
  if (/\.html?$/.test(file)) return own!;
  const place = createHash('sha256').update(file).digest().readUInt32BE(0) / 2 ** 32;
  if (place >= thirdPartyRatio) return own!;
  const sum = others.reduce((total, _, index) => total + 1 / (index + 1), 0);
  let left = (place / thirdPartyRatio) * sum;
  return others.find((_, index) => (left -= 1 / (index + 1)) < 0) ?? others.at(-1)!;
}

/** Lengths are bounded, so that each file is read once. */
const attribute = /(\s(?:src|href|data-src|poster)\s*=\s*["'])([^"'<>\s]{1,2000})(?=["'])/g;
const styleUrl = /(url\(\s*["']?)([^"'()\s]{1,2000})(?=["']?\s*\))/g;

/**
 * An HTML or CSS text in which files of other hosts are named by their whole address. What is outside of the package, such as fonts of a service, becomes empty: a recording here could not have it. References that scripts make stay as they are, so these files come from the page's own host.
 * `isThere`: whether the package has a file.
 */
export function nameHostsInText(
  text: string,
  { file, hosts, isThere }: { file: string; hosts: readonly string[]; isThere: (file: string) => boolean },
): string {
  const own = hostOfFile(file, hosts);
  const rename = (whole: string, before: string, reference: string) => {
    if (/^(?:https?:)?\/\//i.test(reference))
      return `${before}${before.includes('href') ? 'data:text/css,' : 'data:,'}`;
    if (/^(?:[a-z][a-z0-9+.-]*:|#|\?)/i.test(reference)) return whole;
    const [target] = reference.split(/[?#]/);
    const wanted = readPath(path.posix.resolve(path.posix.dirname(file), target!));
    if (wanted === null || !isThere(wanted)) return whole;
    const host = hostOfFile(wanted, hosts);
    // What this host serves is not known by a relative address where the file itself lies at another.
    return host === own ? whole : `${before}https://${host}${encodeURI(wanted)}${reference.slice(target!.length)}`;
  };
  return text.replace(attribute, rename).replace(styleUrl, rename);
}

function readPath(reference: string): string | null {
  try {
    return decodeURI(reference);
  } catch {
    return null;
  }
}
