import { summariseSite, type SiteSummary } from '#core/site/summarise-site.ts';
import type { Site } from '#core/site/site.ts';
import { openSite } from '#site/open-site.ts';
import { formatTable } from '../comparison/format-table.ts';
import { showPlainly } from '../plain-text.ts';

export interface ShowOptions {
  json?: true;
}

/** Prints what a recording has. Throws `invalid-input`. */
export async function showSite(file: string, options: ShowOptions): Promise<void> {
  await using opened = await openSite(file);
  printSite(opened.site, options);
}

export function printSite(site: Site, { json }: ShowOptions): void {
  const summary = summariseSite(site);
  process.stdout.write(`${json ? JSON.stringify(summary) : formatSummary(summary).map(showPlainly).join('\n')}\n`);
}

function formatSummary({ title, software, recordedEpochMs, pages, hosts, types, dropped }: SiteSummary): string[] {
  const webSockets = pages.reduce((sum, page) => sum + page.webSockets, 0);
  const secrets = dropped.map(({ header, times }) => `${header} (${times})`).join(', ');
  return [
    title,
    `Recorded ${new Date(recordedEpochMs).toISOString()} by ${software}`,
    '',
    ...formatTable([
      ['Page', 'Visits', 'Objects', 'Bytes', 'Base', 'Viewport', 'Total'],
      ...pages.map((page) => [
        `${page.number} ${page.url}`,
        String(page.visits),
        String(page.objects),
        formatBytes(page.bytes),
        formatMs(page.baseMs),
        formatMs(page.viewportMs),
        formatMs(page.totalMs),
      ]),
    ]),
    '',
    ...formatTable([
      ['Host', 'Requests', 'Bytes', 'Protocols', 'Round trip', 'Think time'],
      ...hosts.map((host) => [
        host.name,
        String(host.requests),
        formatBytes(host.bytes),
        host.protocols.join(' '),
        formatMs(host.connectMs),
        formatMs(host.thinkMs),
      ]),
    ]),
    '',
    ...formatTable([
      ['Type', 'Requests', 'Bytes'],
      ...types.map(({ type, requests, bytes }) => [type, String(requests), formatBytes(bytes)]),
    ]),
    '',
    `Headers left out as secrets: ${secrets || 'none'}`,
    ...(webSockets === 0 ? [] : [`WebSockets, which are not recorded: ${webSockets} in all visits`]),
  ];
}

function formatMs(ms: number | null): string {
  return ms === null ? 'n/a' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function formatBytes(bytes: number): string {
  return `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
}
