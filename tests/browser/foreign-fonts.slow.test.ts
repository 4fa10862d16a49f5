import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { deriveReadings } from '#core/metrics/index.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { buildFont } from '#testbed/origin/objects/build-font.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { noIcon, servePages, type Pages } from './support/serve-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** A page as of a hosted font service: the sheet of another origin, without CORS, declares fonts of which the viewport needs one. */
const belowAfterMs = 700;

function servePageWithFonts() {
  const asked: string[] = [];
  const font = buildFont();
  const sendFont = (name: string, afterMs: number) => (response: ServerResponse) => {
    asked.push(name);
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'font/ttf', 'access-control-allow-origin': '*' }).end(font),
      afterMs,
    );
  };
  const sendSheet = (name: string, text: string) => (response: ServerResponse) => {
    asked.push(name);
    response.writeHead(200, { 'content-type': 'text/css' }).end(text);
  };
  const pages: Pages = {
    '/fonts.css': sendSheet(
      'fonts.css',
      '@import url("more.css"); @font-face { font-family: Top; src: url(/top.ttf) }',
    ),
    '/more.css': sendSheet('more.css', '@font-face { font-family: Below; src: url(/below.ttf) }'),
    '/top.ttf': sendFont('top.ttf', 50),
    '/below.ttf': sendFont('below.ttf', belowAfterMs),
  };
  return { asked, pages };
}

describe.each(conformanceEngines.filter(({ hasViewport }) => hasViewport))('the engine $name', ({ name, open }) => {
  test('of the fonts that a style sheet of another origin declares, those that the viewport needs count for it, no other, and nothing is asked for to find out', async (context) => {
    const { asked, pages } = servePageWithFonts();
    await using server = await servePages(pages);
    pages['/'] =
      `${noIcon}<link rel=stylesheet href="${server.otherUrl}/fonts.css"><p style="font-family: Top">Text<div style="height: 5000px"></div><p style="font-family: Below">Text`;
    await using session = await open({});
    const measure = async () => {
      asked.length = 0;
      const snapshot = await takeSnapshot(session, `${server.url}/`);
      expect(asked.toSorted()).toEqual(['below.ttf', 'fonts.css', 'more.css', 'top.ttf']);
      expect(valueOf(snapshot, 'objectCount')).toBe(5);
      expect(valueOf(snapshot, 'failedObjectCount')).toBe(0);
      expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(belowAfterMs);
      const viewport = deriveReadings(snapshot).find(({ metric }) => metric === 'viewportMs');
      // Firefox lets an extension read the rules of such a sheet in some Visits and not in others.
      if (name === 'extension-firefox' && viewport?.kind === 'absent') {
        expect(viewport.reason).toBe('timing-hidden');
        return null;
      }
      const needed = (findViewportObjects(snapshot) ?? []).map(({ url }) => new URL(url).pathname);
      expect(needed.sort()).toEqual(['/fonts.css', '/more.css', '/top.ttf']);
      return valueOf(snapshot, 'totalMs') - valueOf(snapshot, 'viewportMs');
    };
    await judgeTime(context, {
      measure,
      holds: (laterMs) => {
        if (laterMs !== null) expect(laterMs).toBeGreaterThan(belowAfterMs / 2);
      },
      limits: roomyLimits,
    });
  });
});
